package org.bloomgate.decision.journal;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Messages of the last 14 days by hour and enforced action. Not thread-safe.
final class HourCounts {
    static final int HOURS = 14 * 24;

    /// More words than there are actions.
    static final int MAX_ACTIONS = 16;

    private static final long HOUR_MILLIS = Duration.ofHours(1).toMillis();

    private final Map<String, long[]> byAction = new TreeMap<>();

    /// Hour of the last count of each action, since the epoch.
    private long newest;

    /// All there is.
    ///
    /// @param newest hour, since the epoch
    /// @param messages of each action [#HOURS] counts, oldest first
    record State(long newest, Map<String, List<Long>> messages) {
        State {
            messages = Map.copyOf(messages);
            if (newest < 0
                    || messages.size() > MAX_ACTIONS
                    || messages.values().stream().anyMatch(State::isOdd)) {
                throw new IllegalArgumentException("no counts of " + HOURS + " hours");
            }
        }

        private static boolean isOdd(List<Long> counts) {
            return counts.size() != HOURS || counts.stream().anyMatch(count -> count < 0);
        }
    }

    /// Counts one message. One that is older than all hours is not counted.
    void add(Instant time, String action) {
        long hour = Math.floorDiv(time.toEpochMilli(), HOUR_MILLIS);
        turnTo(hour);
        if (hour > newest - HOURS && (byAction.size() < MAX_ACTIONS || byAction.containsKey(action))) {
            byAction.computeIfAbsent(action, _ -> new long[HOURS])[at(hour, newest)]++;
        }
    }

    /// Moves the counts on, or begins anew when the clock was set back by days.
    private void turnTo(long hour) {
        long later = hour - newest;
        if (later >= HOURS || later <= -HOURS) {
            byAction.clear();
            newest = hour;
        } else if (later > 0) {
            byAction.replaceAll((_, counts) -> Arrays.copyOfRange(counts, (int) later, (int) later + HOURS));
            newest = hour;
        }
    }

    private static int at(long hour, long newest) {
        return (int) (hour - newest) + HOURS - 1;
    }

    /// The hours that end with that of an instant.
    HourTotals until(Instant now) {
        long last = Math.floorDiv(now.toEpochMilli(), HOUR_MILLIS);
        Map<String, List<Long>> messages = new TreeMap<>();
        byAction.forEach((action, counts) -> {
            long[] shown = new long[HOURS];
            for (int i = 0; i < HOURS; i++) {
                int from = at(last - HOURS + 1 + i, newest);
                shown[i] = from >= 0 && from < HOURS ? counts[from] : 0;
            }
            if (Arrays.stream(shown).anyMatch(count -> count > 0)) {
                messages.put(action, Arrays.stream(shown).boxed().toList());
            }
        });
        return new HourTotals(Instant.ofEpochMilli((last - HOURS + 1) * HOUR_MILLIS), messages);
    }

    State state() {
        Map<String, List<Long>> messages = new TreeMap<>();
        byAction.forEach((action, counts) ->
                messages.put(action, Arrays.stream(counts).boxed().toList()));
        return new State(newest, messages);
    }

    /// Begins with what was kept.
    void begin(State state) {
        byAction.clear();
        newest = state.newest();
        state.messages()
                .forEach((action, counts) -> byAction.put(
                        action, counts.stream().mapToLong(Long::longValue).toArray()));
    }
}
