package org.bloomgate.server.dns;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;

/// The counters of the listener. Thread-safe without a lock.
final class DnsCounts {
    private final Map<Transport, Map<Rcode, LongAdder>> answers = new EnumMap<>(Transport.class);
    private final Map<Limit, LongAdder> limits = new EnumMap<>(Limit.class);
    final LongAdder listed = new LongAdder();
    final LongAdder suspects = new LongAdder();
    final LongAdder ignored = new LongAdder();
    final LongAdder faults = new LongAdder();

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

        String label() {
            return label;
        }
    }

    DnsCounts() {
        for (Transport transport : Transport.values()) {
            Map<Rcode, LongAdder> ofTransport = new EnumMap<>(Rcode.class);
            for (Rcode code : Rcode.values()) {
                ofTransport.put(code, new LongAdder());
            }
            answers.put(transport, ofTransport);
        }
        for (Limit limit : Limit.values()) {
            limits.put(limit, new LongAdder());
        }
    }

    void answered(Transport transport, Rcode code) {
        Objects.requireNonNull(Objects.requireNonNull(answers.get(transport)).get(code))
                .increment();
    }

    void reached(Limit limit) {
        Objects.requireNonNull(limits.get(limit)).increment();
    }

    void forEachAnswer(Transport transport, BiConsumer<Rcode, LongAdder> each) {
        Objects.requireNonNull(answers.get(transport)).forEach(each);
    }

    void forEachLimit(BiConsumer<Limit, LongAdder> each) {
        limits.forEach(each);
    }
}
