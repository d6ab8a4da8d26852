package org.bloomgate.lists.report;

import java.time.Duration;
import java.util.Arrays;
import java.util.OptionalLong;

/// Counts ages by hours; the last count, of [#MAX_HOURS], includes all longer ages. Used by one thread.
final class AgeCounts {
    /// Ten years.
    static final int MAX_HOURS = 10 * 366 * 24;

    private long[] byHour = new long[24];
    private long count;

    void add(Duration age) {
        int hours = Math.clamp(age.toHours(), 0, MAX_HOURS);
        if (hours >= byHour.length) {
            byHour = Arrays.copyOf(byHour, Math.min(MAX_HOURS + 1, Math.max(hours + 1, 2 * byHour.length)));
        }
        byHour[hours]++;
        count++;
    }

    /// The median in whole hours, for an even number of ages the lower of the two in the middle; empty without
    /// an age.
    OptionalLong median() {
        long below = 0;
        for (int hours = 0; hours < byHour.length && count > 0; hours++) {
            below += byHour[hours];
            if (2 * below >= count) {
                return OptionalLong.of(hours);
            }
        }
        return OptionalLong.empty();
    }
}
