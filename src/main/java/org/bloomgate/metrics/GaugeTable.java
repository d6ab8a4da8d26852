package org.bloomgate.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;

/// The gauges of one name, whose labels come and go. Used by one thread at a time.
final class GaugeTable {
    private final MultiGauge gauges;
    private List<MultiGauge.Row<?>> rows = new ArrayList<>();

    GaugeTable(MeterRegistry registry, String name, String description) {
        gauges = MultiGauge.builder(name).description(description).register(registry);
    }

    /// A row of the table to be shown next.
    void row(Tags tags, Number value) {
        rows.add(MultiGauge.Row.of(tags, value));
    }

    /// Shows the rows given since the last time and takes back those that are not among them.
    void show() {
        gauges.register(rows, true);
        rows = new ArrayList<>();
    }
}
