package org.bloomgate.server.dns;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.bloomgate.core.text.TextForms;

/// The counters of the listener, as `docker/METRICS.md` lists them. Thread-safe without a lock.
final class DnsCounts {
    static final String PREFIX = "bloomgate.dns.";

    private final Map<Transport, Map<Rcode, Counter>> answers;
    private final Map<Limit, Counter> limits;
    final Counter listed;
    final Counter suspects;
    final Counter ignored;
    final Counter faults;

    /// The limits because of which a query was not answered, or not at once.
    enum Limit {
        /// `dns.answersPerSecond`: dropped, or answered as truncated.
        RATE("rate"),
        /// [SuspectThreads#MAX_SUSPECTS]: answered SERVFAIL.
        SUSPECTS("suspects"),
        /// [TcpListener#MAX_CONNECTIONS] and the bound of one network: closed unread.
        CONNECTIONS("connections");

        private final String label;

        Limit(String label) {
            this.label = label;
        }
    }

    DnsCounts(MeterRegistry registry) {
        answers = each(
                Transport.class,
                transport -> each(
                        Rcode.class,
                        code -> Counter.builder(PREFIX + "queries")
                                .description("DNS questions answered, by transport and response code")
                                .tags("transport", transport.label(), "rcode", TextForms.lowerCase(code.name()))
                                .register(registry)));
        limits = each(
                Limit.class,
                limit -> Counter.builder(PREFIX + "limited")
                        .description("DNS questions and connections that met a limit")
                        .tag("limit", limit.label)
                        .register(registry));
        listed = counter(registry, "listed", "DNS answers that tell of a listing");
        suspects = counter(registry, "suspects", "DNS questions that waited for the exact tier");
        ignored = counter(registry, "ignored", "Datagrams that were no question");
        faults = counter(registry, "faults", "DNS questions that a fault here left without an answer");
    }

    private static <E extends Enum<E>, T> Map<E, T> each(Class<E> type, Function<E, T> create) {
        Map<E, T> map = new EnumMap<>(type);
        Arrays.asList(type.getEnumConstants()).forEach(constant -> map.put(constant, create.apply(constant)));
        return map;
    }

    private static Counter counter(MeterRegistry registry, String name, String description) {
        return Counter.builder(PREFIX + name).description(description).register(registry);
    }

    void countAnswer(Transport transport, Rcode code) {
        Objects.requireNonNull(Objects.requireNonNull(answers.get(transport)).get(code))
                .increment();
    }

    void countLimit(Limit limit) {
        Objects.requireNonNull(limits.get(limit)).increment();
    }
}
