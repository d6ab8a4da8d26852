package org.bloomgate.decision.authentication;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.bloomgate.base.concurrent.Permits;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.lookup.dns.DnsClient;
import org.bloomgate.lookup.dns.DnsQuestion;
import org.bloomgate.lookup.dns.DnsQuestion.RecordType;
import org.bloomgate.lookup.dns.DnsReply;
import org.bloomgate.lookup.dns.DnsReply.Cause;

/// The DNS for all authentications of a process, with bounds on what strangers can make it query. A stranger chooses
/// selectors and local parts, so the queries for one domain are limited. Thread-safe.
public final class AuthenticationDns {
    /// The number of messages authenticated at once.
    static final int MAX_MESSAGES = 64;

    /// The number of queries for one message.
    static final int MAX_QUERIES = 40;

    /// Queries a second for names below one registrable domain that are not answered from the cache: what one message
    /// may need.
    static final int MAX_QUERIES_PER_DOMAIN = MAX_QUERIES;

    /// Messages of one registrable domain authenticated at once: a domain with a slow DNS holds up no other.
    static final int MAX_MESSAGES_PER_DOMAIN = 8;

    private static final int MAX_DOMAINS = 10_000;
    private static final DnsReply TIMEOUT = new DnsReply.Failed(Cause.TIMEOUT, "the deadline passed");
    private static final DnsReply BOUND = new DnsReply.Failed(Cause.BOUND, "too many queries");

    private final DnsClient client;
    private final Permits messages = new Permits(MAX_MESSAGES, MAX_MESSAGES_PER_DOMAIN);
    private final Cache<String, AtomicInteger> rates = Caffeine.newBuilder()
            .maximumSize(MAX_DOMAINS)
            .expireAfterWrite(Duration.ofSeconds(1))
            .build();

    /// Names that had records within a day, which may be queried beyond the rate of their domain: random names use it
    /// up, but not for the real ones.
    private final Cache<DnsQuestion, Boolean> known = Caffeine.newBuilder()
            .maximumSize(MAX_DOMAINS)
            .expireAfterWrite(Duration.ofDays(1))
            .build();

    private volatile MeterRegistry registry = new SimpleMeterRegistry();

    public AuthenticationDns(DnsClient client) {
        this.client = client;
    }

    /// Counts queries in these meters.
    public void bindTo(MeterRegistry meters) {
        registry = meters;
        List.of("found", "none", "unknown").forEach(this::counter);
    }

    private Counter counter(String result) {
        return Counter.builder("bloomgate.authentication.queries")
                .description("DNS queries for the authentication of senders, those answered from the cache included")
                .tag("result", result)
                .register(registry);
    }

    /// Opens the queries of one message; empty while too many messages are being authenticated.
    ///
    /// @param domain of the sender that is to be authenticated
    Optional<OfMessage> open(PublicSuffixes suffixes, String domain, Duration deadline) {
        String registrable = suffixes.registrable(domain);
        return messages.tryAcquire(registrable)
                ? Optional.of(new OfMessage(suffixes, registrable, deadline))
                : Optional.empty();
    }

    /// The queries of one message. Used by one thread.
    final class OfMessage implements DnsQueries, AutoCloseable {
        private final PublicSuffixes suffixes;
        private final String domain;
        private final long end;
        private int queries;

        private OfMessage(PublicSuffixes suffixes, String domain, Duration deadline) {
            this.suffixes = suffixes;
            this.domain = domain;
            this.end = System.nanoTime() + deadline.toNanos();
        }

        /// The number of queries so far, answers from the cache included.
        int queries() {
            return queries;
        }

        @Override
        public DnsReply query(String name, RecordType type) {
            String lower = TextForms.lowerCase(name);
            String absolute = lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
            DnsReply reply = ++queries > MAX_QUERIES ? BOUND : reply(DnsQuestion.of(absolute, type));
            counter(label(reply)).increment();
            return reply;
        }

        private DnsReply reply(DnsQuestion question) {
            if (!client.isCached(question) && known.getIfPresent(question) == null && !mayQuery(question.name())) {
                return BOUND;
            }
            try {
                DnsReply reply = client.query(question).get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
                if (reply instanceof DnsReply.Found) {
                    known.put(question, true);
                }
                return reply;
            } catch (TimeoutException e) {
                return TIMEOUT;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return TIMEOUT;
            } catch (ExecutionException e) {
                throw new IllegalStateException("a query ended exceptionally", e.getCause());
            }
        }

        private boolean mayQuery(String name) {
            AtomicInteger second = rates.get(suffixes.registrable(name), _ -> new AtomicInteger());
            return second.incrementAndGet() <= MAX_QUERIES_PER_DOMAIN;
        }

        @Override
        public void close() {
            messages.release(domain);
        }
    }

    private static String label(DnsReply reply) {
        return switch (reply) {
            case DnsReply.Found _ -> "found";
            case DnsReply.Absent _ -> "none";
            case DnsReply.Failed _ -> "unknown";
        };
    }
}
