package org.bloomgate.feed;

import java.util.Locale;

/// How often a feed is fetched. Each cadence is a layer of its own, named by [#layer()].
public enum Cadence {
    NIGHTLY,
    HOURLY,
    MINUTES;

    public String layer() {
        return name().toLowerCase(Locale.ROOT);
    }
}
