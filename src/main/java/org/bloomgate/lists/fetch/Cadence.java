package org.bloomgate.lists.fetch;

import java.time.Duration;
import org.bloomgate.core.text.TextForms;

/// How often a feed is fetched. Each cadence is a layer of its own, named by [#layer()].
public enum Cadence {
    NIGHTLY(Duration.ofDays(1), Duration.ofHours(20)),
    HOURLY(Duration.ofHours(1), Duration.ofMinutes(50)),
    MINUTES(Duration.ofMinutes(5), Duration.ofMinutes(4));

    private final Duration interval;
    private final Duration dueAfter;

    Cadence(Duration interval, Duration dueAfter) {
        this.interval = interval;
        this.dueAfter = dueAfter;
    }

    public String layer() {
        return TextForms.lowerCase(name());
    }

    /// The interval of its timer.
    public Duration interval() {
        return interval;
    }

    /// How long the content of a source counts as current: slightly less than the interval of the timer, which
    /// may be late once and early the next time.
    public Duration dueAfter() {
        return dueAfter;
    }
}
