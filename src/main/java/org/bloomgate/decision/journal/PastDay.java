package org.bloomgate.decision.journal;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/// Figures of the last 24 hours by the minute: messages by enforced action and by the feed that decided,
/// actions of feeds in shadow mode, and the duration of the stages. Messages by action also by the hour, for 14 days.
///
/// Each series is a ring of 12 KB, made when its first mail comes and dropped when its last one is a day old. Names of
/// feeds come from the configuration; beyond [#MAX_FEEDS] of them within a day the rest is counted together.
///
/// The journal's writer adds to it, the operator's page reads it; mail waits for neither. Thread-safe.
public final class PastDay {
    public static final int MINUTES = 24 * 60;

    /// Stands for the feeds beyond [#MAX_FEEDS].
    public static final String OTHER_FEEDS = "*";

    static final int MAX_FEEDS = 20;

    /// Eight words for each feed, for no feed and for the others, each enforced and on trial, and some for stages.
    static final int MAX_SERIES = 400;

    private static final long MINUTE_MILLIS = Duration.ofMinutes(1).toMillis();
    private static final Set<String> NO_MAIL = Set.of("", Decision.NONE, Decision.LOST);

    /// The subject of a series; the sum of a stage is in microseconds.
    enum Of {
        DONE,
        WOULD,
        STAGE_COUNT,
        STAGE_MICROS
    }

    /// @param feed empty where none decided, and for stages
    /// @param word of an action, or the name of a stage
    record Series(Of of, String feed, String word) {}

    /// A series by itself.
    ///
    /// @param values oldest first, [#MINUTES] of them
    record Kept(Of of, String feed, String word, List<Long> values) {
        Kept {
            values = List.copyOf(values);
            if (values.size() != MINUTES || values.stream().anyMatch(value -> value < 0)) {
                throw new IllegalArgumentException("a series is not " + MINUTES + " counts");
            }
        }
    }

    /// All there is.
    ///
    /// @param newest minute, since the epoch
    /// @param hours of 14 days
    record State(long newest, List<Kept> series, HourCounts.State hours) {
        State {
            series = List.copyOf(series);
            if (newest < 0 || series.size() > MAX_SERIES) {
                throw new IllegalArgumentException("no totals of a day");
            }
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Series, long[]> rings = new HashMap<>();
    private final HourCounts hours = new HourCounts();
    private long newest;

    /// Counts a message in the minute it came. What ended without a message is not counted.
    public void add(Decision decision) {
        if (NO_MAIL.contains(decision.enforced())) {
            return;
        }
        lock.lock();
        try {
            long minute = minute(decision.time());
            turnTo(minute);
            hours.add(decision.time(), decision.enforced());
            count(minute, Of.DONE, decision.feed(), decision.enforced(), 1);
            decision.shadowed().forEach((feed, word) -> count(minute, Of.WOULD, feed, word, 1));
            decision.millis().forEach((stage, millis) -> {
                count(minute, Of.STAGE_COUNT, "", stage, 1);
                count(minute, Of.STAGE_MICROS, "", stage, Math.max(0, Math.round(millis * 1_000)));
            });
        } finally {
            lock.unlock();
        }
    }

    /// The day that ends with the minute of this instant.
    public DayTotals until(Instant now) {
        long last = minute(now);
        lock.lock();
        try {
            return DayTotals.of(Instant.ofEpochMilli((last - MINUTES + 1) * MINUTE_MILLIS), kept(last));
        } finally {
            lock.unlock();
        }
    }

    /// The 14 days that end with the hour of this instant.
    HourTotals hoursUntil(Instant now) {
        lock.lock();
        try {
            return hours.until(now);
        } finally {
            lock.unlock();
        }
    }

    State state() {
        lock.lock();
        try {
            return new State(newest, kept(newest), hours.state());
        } finally {
            lock.unlock();
        }
    }

    /// Begins with what was kept.
    void begin(State state) {
        lock.lock();
        try {
            rings.clear();
            hours.begin(state.hours());
            newest = state.newest();
            for (Kept kept : state.series()) {
                long[] ring = new long[MINUTES];
                for (int i = 0; i < MINUTES; i++) {
                    ring[slot(newest - MINUTES + 1 + i)] = kept.values().get(i);
                }
                rings.put(new Series(kept.of(), kept.feed(), kept.word()), ring);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Makes this minute one of those that are counted: empties the slots that come into use again, all of them when
    /// the clock was set back by more than a day.
    private void turnTo(long minute) {
        if (minute <= newest - MINUTES || minute >= newest + MINUTES) {
            rings.clear();
            newest = minute;
        }
        if (minute == newest) {
            return;
        }
        for (; newest < minute; newest++) {
            int next = slot(newest + 1);
            rings.values().forEach(ring -> ring[next] = 0);
        }
        rings.values().removeIf(ring -> LongStream.of(ring).allMatch(value -> value == 0));
    }

    private void count(long minute, Of of, String feed, String word, long more) {
        Series named = new Series(of, feed, word);
        Series series = rings.containsKey(named) ? named : new Series(of, bounded(feed), word);
        if (rings.size() < MAX_SERIES || rings.containsKey(series)) {
            rings.computeIfAbsent(series, _ -> new long[MINUTES])[slot(minute)] += more;
        }
    }

    private String bounded(String feed) {
        Set<String> named = rings.keySet().stream()
                .map(Series::feed)
                .filter(Predicate.not(Set.of("", OTHER_FEEDS)::contains))
                .collect(Collectors.toSet());
        return feed.isEmpty() || named.contains(feed) || named.size() < MAX_FEEDS ? feed : OTHER_FEEDS;
    }

    private List<Kept> kept(long last) {
        return rings.entrySet().stream()
                .map(one -> new Kept(
                        one.getKey().of(),
                        one.getKey().feed(),
                        one.getKey().word(),
                        Arrays.stream(values(one.getValue(), last)).boxed().toList()))
                .toList();
    }

    private long[] values(long[] ring, long last) {
        return LongStream.rangeClosed(last - MINUTES + 1, last)
                .map(minute -> minute > newest || minute <= newest - MINUTES ? 0 : ring[slot(minute)])
                .toArray();
    }

    private static long minute(Instant time) {
        return Math.floorDiv(time.toEpochMilli(), MINUTE_MILLIS);
    }

    private static int slot(long minute) {
        return (int) Math.floorMod(minute, (long) MINUTES);
    }
}
