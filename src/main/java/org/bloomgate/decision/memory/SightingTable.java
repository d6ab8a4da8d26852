package org.bloomgate.decision.memory;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// The link domains that were seen for the first time within the last 24 hours, exactly. Thread-safe, by a lock that
/// only messages with a new link take.
final class SightingTable {
    /// A full table takes about 12 MB.
    static final int MAX_SIGHTINGS = 100_000;

    static final int KEEP_MINUTES = 24 * 60;

    private final Map<Long, Sighting> sightings = new LinkedHashMap<>();

    synchronized Optional<Sighting> find(long key) {
        return Optional.ofNullable(sightings.get(key));
    }

    synchronized boolean contains(long key) {
        return sightings.containsKey(key);
    }

    /// Counts a message in a sighting, or begins one. A deferred message is not counted.
    ///
    /// @return false if the table is full
    synchronized boolean add(KeyLog.Entry entry) {
        if (entry.kind() == KeyLog.Kind.KEY) {
            return true;
        }
        Optional<Sighting> earlier = find(entry.key());
        if (earlier.isEmpty() && sightings.size() >= MAX_SIGHTINGS) {
            return false;
        }
        Sighting sighting = earlier.orElseGet(() -> new Sighting(entry.minute(), 0, 0));
        sightings.put(entry.key(), sighting.with(entry.isKey() ? 1 : 0, entry.recipients()));
        return true;
    }

    /// Forgets sightings older than a day.
    synchronized void expire(int minute) {
        Iterator<Sighting> oldest = sightings.values().iterator();
        while (oldest.hasNext() && oldest.next().minute() < minute - KEEP_MINUTES) {
            oldest.remove();
        }
    }

    synchronized int size() {
        return sightings.size();
    }
}
