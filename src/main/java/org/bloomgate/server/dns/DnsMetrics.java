package org.bloomgate.server.dns;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.bloomgate.core.text.TextForms;

/// Shows what the listener counts; `docker/METRICS.md` is the table.
final class DnsMetrics {
    private final MeterRegistry registry;

    DnsMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    /// @param counts kept by the listener for as long as it is open
    void show(DnsCounts counts, Supplier<Number> connections, Supplier<Number> parentBytes) {
        for (Transport transport : Transport.values()) {
            counts.forEachAnswer(
                    transport,
                    (code, total) -> total(
                            "queries",
                            "DNS questions answered, by transport and response code",
                            Tags.of("transport", transport.label(), "rcode", TextForms.lowerCase(code.name())),
                            total));
        }
        counts.forEachLimit((limit, total) -> total(
                "limited", "DNS questions and connections that met a limit", Tags.of("limit", limit.label()), total));
        total("listed", "DNS answers that tell of a listing", Tags.empty(), counts.listed);
        total("suspects", "DNS questions that waited for the exact tier", Tags.empty(), counts.suspects);
        total("ignored", "Datagrams that were no question", Tags.empty(), counts.ignored);
        total("faults", "DNS questions that a fault here left without an answer", Tags.empty(), counts.faults);
        gauge("connections", "DNS connections open now", connections);
        gauge("parents.bytes", "Bytes of the filters of names with listed names below them", parentBytes);
    }

    private void total(String name, String description, Tags tags, LongAdder total) {
        FunctionCounter.builder("bloomgate.dns." + name, total, LongAdder::sum)
                .description(description)
                .tags(tags)
                .register(registry);
    }

    private void gauge(String name, String description, Supplier<Number> value) {
        Gauge.builder("bloomgate.dns." + name, value).description(description).register(registry);
    }
}
