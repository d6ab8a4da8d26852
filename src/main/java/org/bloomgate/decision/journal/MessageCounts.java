package org.bloomgate.decision.journal;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/// Counts of the last 14 days by hour (UTC): messages by enforced action and by the feed that decided, actions
/// of feeds in shadow mode, and the duration of the stages.
///
/// Each series is a ring of 2.7 KB. It is created with its first message and removed when its last one is 14
/// days old. Names of feeds come from the configuration; the feeds beyond [#MAX_FEEDS] are counted together.
///
/// The journal's writer adds to the counts and the HTTP listener reads them; messages wait for neither.
/// Thread-safe.
public final class MessageCounts {
    static final int HOURS = 14 * 24;

    /// Stands for the feeds beyond [#MAX_FEEDS].
    static final String OTHER_FEEDS = "*";

    static final int MAX_FEEDS = 50;

    /// Eight actions for each feed, for no feed and for the other feeds, each enforced and in shadow mode, and
    /// some for stages.
    static final int MAX_SERIES = 1_000;

    private static final int HOURS_OF_A_DAY = 24;
    private static final long HOUR_MILLIS = Duration.ofHours(1).toMillis();
    private static final Set<String> NO_MESSAGE = Set.of("", Decision.NONE, Decision.LOST);

    /// What the numbers of a series count.
    enum Unit {
        ENFORCED_MESSAGES,
        SHADOW_MESSAGES,
        STAGE_RUNS,
        STAGE_MICROSECONDS
    }

    /// @param feed empty where none decided, and for stages
    /// @param name of an action or a stage
    record Series(Unit unit, String feed, String name) {}

    /// The counts of one series.
    ///
    /// @param values one for each hour, oldest first
    record Counts(Unit unit, String feed, String name, List<Long> values) {
        Counts {
            values = List.copyOf(values);
            if (values.stream().anyMatch(value -> value < 0)) {
                throw new IllegalArgumentException("a negative count");
            }
        }

        long sum() {
            return values.stream().mapToLong(Long::longValue).sum();
        }
    }

    /// All counts, as the file has them.
    ///
    /// @param newest hour, since the epoch
    /// @param series with [#HOURS] values each
    record State(long newest, List<Counts> series) {
        State {
            series = List.copyOf(series);
            if (newest < 0
                    || series.size() > MAX_SERIES
                    || series.stream().anyMatch(one -> one.values().size() != HOURS)) {
                throw new IllegalArgumentException("not the message counts of " + HOURS + " hours");
            }
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Series, long[]> rings = new HashMap<>();

    /// The last hour in the rings, since the epoch.
    private long newest;

    /// Counts a message in the hour of its decision. A session without a message is not counted.
    public void add(Decision decision) {
        if (NO_MESSAGE.contains(decision.outcome().enforced())) {
            return;
        }
        lock.lock();
        try {
            long hour = hour(decision.time());
            advanceTo(hour);
            add(
                    hour,
                    Unit.ENFORCED_MESSAGES,
                    decision.outcome().feed(),
                    decision.outcome().enforced(),
                    1);
            decision.outcome().shadowed().forEach((feed, action) -> add(hour, Unit.SHADOW_MESSAGES, feed, action, 1));
            decision.processing().millis().forEach((stage, millis) -> {
                add(hour, Unit.STAGE_RUNS, "", stage, 1);
                add(hour, Unit.STAGE_MICROSECONDS, "", stage, Math.max(0, Math.round(millis * 1_000)));
            });
        } finally {
            lock.unlock();
        }
    }

    /// The 24 hours that end with the hour of this instant.
    public DayTotals day(Instant now) {
        long last = hour(now);
        lock.lock();
        try {
            return DayTotals.of(start(last, HOURS_OF_A_DAY), counts(last, HOURS_OF_A_DAY));
        } finally {
            lock.unlock();
        }
    }

    /// The 14 days that end with the hour of this instant.
    HourTotals hours(Instant now) {
        long last = hour(now);
        lock.lock();
        try {
            return HourTotals.of(start(last, HOURS), counts(last, HOURS));
        } finally {
            lock.unlock();
        }
    }

    State state() {
        lock.lock();
        try {
            return new State(newest, counts(newest, HOURS));
        } finally {
            lock.unlock();
        }
    }

    /// Replaces all counts.
    void restore(State state) {
        lock.lock();
        try {
            rings.clear();
            newest = state.newest();
            for (Counts counts : state.series()) {
                long[] ring = new long[HOURS];
                for (int i = 0; i < HOURS; i++) {
                    ring[slot(newest - HOURS + 1 + i)] = counts.values().get(i);
                }
                rings.put(new Series(counts.unit(), counts.feed(), counts.name()), ring);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Makes room for an hour: empties the slots that are used again, all of them if the clock was set back or
    /// forward by 14 days.
    private void advanceTo(long hour) {
        if (hour <= newest - HOURS || hour >= newest + HOURS) {
            rings.clear();
            newest = hour;
        }
        if (hour <= newest) {
            return;
        }
        for (; newest < hour; newest++) {
            int next = slot(newest + 1);
            rings.values().forEach(ring -> ring[next] = 0);
        }
        rings.values().removeIf(ring -> LongStream.of(ring).allMatch(value -> value == 0));
    }

    private void add(long hour, Unit unit, String feed, String name, long amount) {
        Series own = new Series(unit, feed, name);
        Series series = rings.containsKey(own) ? own : new Series(unit, feedWithinBound(feed), name);
        if (rings.size() < MAX_SERIES || rings.containsKey(series)) {
            rings.computeIfAbsent(series, _ -> new long[HOURS])[slot(hour)] += amount;
        }
    }

    private String feedWithinBound(String feed) {
        Set<String> counted = rings.keySet().stream()
                .map(Series::feed)
                .filter(name -> !name.isEmpty() && !name.equals(OTHER_FEEDS))
                .collect(Collectors.toSet());
        return feed.isEmpty() || counted.contains(feed) || counted.size() < MAX_FEEDS ? feed : OTHER_FEEDS;
    }

    private List<Counts> counts(long last, int hours) {
        return rings.entrySet().stream()
                .map(one -> new Counts(
                        one.getKey().unit(),
                        one.getKey().feed(),
                        one.getKey().name(),
                        values(one.getValue(), last, hours)))
                .toList();
    }

    private List<Long> values(long[] ring, long last, int hours) {
        return LongStream.rangeClosed(last - hours + 1, last)
                .map(hour -> hour > newest || hour <= newest - HOURS ? 0 : ring[slot(hour)])
                .boxed()
                .toList();
    }

    private static long hour(Instant time) {
        return Math.floorDiv(time.toEpochMilli(), HOUR_MILLIS);
    }

    private static Instant start(long last, int hours) {
        return Instant.ofEpochMilli((last - hours + 1) * HOUR_MILLIS);
    }

    private static int slot(long hour) {
        return (int) Math.floorMod(hour, (long) HOURS);
    }
}
