package org.bloomgate.server.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import io.micrometer.core.instrument.distribution.HistogramSnapshot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.bloomgate.lookup.tier.LookupCounts;

/// The totals since start from which the operator's page computes rates.
///
/// @param messages by action
/// @param sessions SMTP sessions open now
/// @param nextHop connections to it by state
/// @param listeners open ones other than SMTP, by name: `milter`, `dns`
/// @param stages of mail transactions that were timed
public record LiveFigures(
        Map<String, Long> messages,
        long keys,
        long suspects,
        long confirmed,
        long refuted,
        long unknown,
        Map<String, Long> unknownByReason,
        long sessions,
        Map<String, Long> nextHop,
        Map<String, Listener> listeners,
        List<Stage> stages) {

    /// One listener.
    ///
    /// @param connections open now
    /// @param served messages or questions that were answered
    record Listener(long connections, long served) {}

    /// One stage as a histogram.
    ///
    /// @param upTo upper bounds of the buckets in milliseconds; the buckets do not contain values above the last
    /// @param counts cumulated, one for each bound
    record Stage(String stage, long count, double totalMillis, List<Double> upTo, List<Long> counts) {
        static Stage of(Timer timer) {
            HistogramSnapshot times = timer.takeSnapshot();
            CountAtBucket[] buckets = times.histogramCounts();
            return new Stage(
                    String.valueOf(timer.getId().getTag("stage")),
                    times.count(),
                    times.total(TimeUnit.MILLISECONDS),
                    Arrays.stream(buckets)
                            .map(bucket -> bucket.bucket(TimeUnit.MILLISECONDS))
                            .filter(bound -> bound < Double.MAX_VALUE / 1e9)
                            .toList(),
                    Arrays.stream(buckets)
                            .filter(bucket -> bucket.bucket(TimeUnit.MILLISECONDS) < Double.MAX_VALUE / 1e9)
                            .map(bucket -> (long) bucket.count())
                            .toList());
        }
    }

    static LiveFigures of(MeterRegistry registry, Optional<LookupCounts> lookups) {
        ToLongFunction<ToLongFunction<LookupCounts>> total =
                of -> lookups.map(of::applyAsLong).orElse(0L);
        return new LiveFigures(
                sumCounters(registry, "bloomgate.messages", "action"),
                total.applyAsLong(LookupCounts::keys),
                total.applyAsLong(LookupCounts::suspects),
                total.applyAsLong(LookupCounts::confirmed),
                total.applyAsLong(LookupCounts::refuted),
                total.applyAsLong(LookupCounts::unknown),
                lookups.map(LookupCounts::unknownByReason).orElse(Map.of()),
                sum(readGauges(registry, "bloomgate.smtp.sessions", "")),
                readGauges(registry, "bloomgate.next.hop.connections", "state"),
                readListeners(registry),
                readStages(registry));
    }

    private static Map<String, Listener> readListeners(MeterRegistry registry) {
        Map<String, Listener> listeners = new TreeMap<>();
        long messages = sum(sumCounters(registry, "bloomgate.milter.messages", "action"));
        readGauges(registry, "bloomgate.milter.connections", "")
                .forEach((_, open) -> listeners.put("milter", new Listener(open, messages)));
        long queries = sum(sumCounters(registry, "bloomgate.dns.queries", "rcode"));
        readGauges(registry, "bloomgate.dns.connections", "")
                .forEach((_, open) -> listeners.put("dns", new Listener(open, queries)));
        return listeners;
    }

    private static long sum(Map<String, Long> byTag) {
        return byTag.values().stream().mapToLong(Long::longValue).sum();
    }

    private static Map<String, Long> sumCounters(MeterRegistry registry, String name, String tag) {
        Map<String, Long> byTag = new TreeMap<>();
        for (Counter counter : registry.find(name).counters()) {
            byTag.merge(String.valueOf(counter.getId().getTag(tag)), (long) counter.count(), Long::sum);
        }
        return byTag;
    }

    private static Map<String, Long> readGauges(MeterRegistry registry, String name, String tag) {
        Map<String, Long> byTag = new TreeMap<>();
        for (Gauge gauge : registry.find(name).gauges()) {
            byTag.put(String.valueOf(gauge.getId().getTag(tag)), (long) gauge.value());
        }
        return byTag;
    }

    private static List<Stage> readStages(MeterRegistry registry) {
        List<Stage> stages = new ArrayList<>();
        for (Timer timer : registry.find("bloomgate.stage").timers()) {
            stages.add(Stage.of(timer));
        }
        return stages.stream().filter(stage -> stage.count() > 0).toList();
    }
}
