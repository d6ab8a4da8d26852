package org.bloomgate.base.io;

import java.util.LinkedHashMap;
import java.util.Map;

/// Limits an action, such as writing a log line, to once a minute for each place. Remembers the latest thousand
/// places. Thread-safe.
public final class OncePerMinute {
    private static final long MINUTE = 60_000;
    static final int MAX_PLACES = 1_000;

    private final Map<String, Long> lastByPlace = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > MAX_PLACES;
        }
    };

    /// Whether the action is due, which counts as doing it now.
    ///
    /// @param nowMillis since 1970
    public synchronized boolean isDue(String place, long nowMillis) {
        Long lastMillis = lastByPlace.get(place);
        boolean isDue = lastMillis == null || nowMillis - lastMillis >= MINUTE;
        if (isDue) {
            lastByPlace.put(place, nowMillis);
        }
        return isDue;
    }
}
