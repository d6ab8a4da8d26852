package org.bloomgate.decision.authentication;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.decision.authentication.DnsQueries.Answer;
import org.bloomgate.decision.authentication.DnsQueries.RecordType;
import org.bloomgate.lookup.dnsbl.RecordClient;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.MXRecord;
import org.xbill.DNS.PTRRecord;
import org.xbill.DNS.Record;
import org.xbill.DNS.TXTRecord;

/// The DNS for all authentications of a process, with bounds on what strangers can make it query. A stranger chooses
/// selectors and local parts, so the queries for one domain are limited, answers are cached, and equal concurrent
/// queries are one. Thread-safe.
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

    static final int MAX_TXT_BYTES = 8 * 1024;

    private static final long MAX_CACHE_BYTES = 10_000L * 1024;
    private static final int ENTRY_BYTES = 200;
    private static final int MAX_DOMAINS = 10_000;
    private static final long MIN_SECONDS = 5;
    private static final long MAX_SECONDS = 3600;
    private static final long NEGATIVE_SECONDS = 60;
    private static final Answer.Unknown TIMEOUT = new Answer.Unknown("timeout");
    private static final Answer.Unknown BOUND = new Answer.Unknown("bound");

    private final BiFunction<String, RecordType, CompletableFuture<CachedAnswer>> client;
    private final Semaphore messages = new Semaphore(MAX_MESSAGES);
    private final AsyncCache<Question, CachedAnswer> cache;
    private final Cache<String, AtomicInteger> rates = Caffeine.newBuilder()
            .maximumSize(MAX_DOMAINS)
            .expireAfterWrite(Duration.ofSeconds(1))
            .build();
    private final Map<String, Integer> messagesOfDomain = new ConcurrentHashMap<>();

    /// Names that had records within a day, which may be queried beyond the rate of their domain: random names use it
    /// up, but not for the real ones.
    private final Cache<Question, Boolean> known = Caffeine.newBuilder()
            .maximumSize(MAX_DOMAINS)
            .expireAfterWrite(Duration.ofDays(1))
            .build();

    private volatile MeterRegistry registry = new SimpleMeterRegistry();

    private record Question(String name, RecordType type) {}

    /// @param seconds for which the answer is cached
    record CachedAnswer(Answer answer, long seconds) {
        int weight(String name) {
            return ENTRY_BYTES
                    + name.length()
                    + (answer instanceof Answer.Found(var values)
                            ? values.stream().mapToInt(String::length).sum()
                            : 0);
        }
    }

    public AuthenticationDns(RecordClient client) {
        this((name, type) -> client.query(name, code(type)).thenApply(AuthenticationDns::cachedAnswer));
    }

    AuthenticationDns(BiFunction<String, RecordType, CompletableFuture<CachedAnswer>> client) {
        this.client = client;
        this.cache = Caffeine.newBuilder()
                .maximumWeight(MAX_CACHE_BYTES)
                .weigher((Question question, CachedAnswer cached) -> cached.weight(question.name()))
                .expireAfter(Expiry.creating(
                        (Question question, CachedAnswer cached) -> Duration.ofSeconds(cached.seconds())))
                .buildAsync();
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

    private static int code(RecordType type) {
        return switch (type) {
            case A -> org.xbill.DNS.Type.A;
            case AAAA -> org.xbill.DNS.Type.AAAA;
            case MX -> org.xbill.DNS.Type.MX;
            case TXT -> org.xbill.DNS.Type.TXT;
            case PTR -> org.xbill.DNS.Type.PTR;
        };
    }

    private static CachedAnswer cachedAnswer(RecordClient.Reply reply) {
        return switch (reply) {
            case RecordClient.Reply.Found(var records, long seconds) -> {
                List<String> values = records.stream()
                        .map(AuthenticationDns::value)
                        .filter(text -> text.length() <= MAX_TXT_BYTES)
                        .toList();
                yield new CachedAnswer(
                        values.isEmpty() ? new Answer.None() : new Answer.Found(values),
                        Math.clamp(seconds, MIN_SECONDS, MAX_SECONDS));
            }
            case RecordClient.Reply.None() -> new CachedAnswer(new Answer.None(), NEGATIVE_SECONDS);
            case RecordClient.Reply.Failed failed ->
                new CachedAnswer(failed.silent() ? TIMEOUT : new Answer.Unknown("temperror"), MIN_SECONDS);
        };
    }

    private static String value(Record record) {
        return switch (record) {
            case ARecord address -> address.getAddress().getHostAddress();
            case AAAARecord address -> address.getAddress().getHostAddress();
            case MXRecord mx -> mx.getPriority() + " " + mx.getTarget().toString(true);
            case PTRRecord pointer -> pointer.getTarget().toString(true);
            case TXTRecord text ->
                text.getStringsAsByteArrays().stream()
                        .map(bytes -> new String(bytes, StandardCharsets.ISO_8859_1))
                        .collect(Collectors.joining());
            default -> "";
        };
    }

    /// Opens the queries of one message; empty while too many messages are being authenticated.
    ///
    /// @param domain of the sender that is to be authenticated
    Optional<OfMessage> open(PublicSuffixes suffixes, String domain, Duration deadline) {
        String registrable = suffixes.registrable(domain);
        int messageCount = messagesOfDomain.merge(registrable, 1, Integer::sum);
        if (messageCount <= MAX_MESSAGES_PER_DOMAIN && messages.tryAcquire()) {
            return Optional.of(new OfMessage(suffixes, registrable, deadline));
        }
        leave(registrable);
        return Optional.empty();
    }

    private void leave(String registrable) {
        messagesOfDomain.computeIfPresent(registrable, (_, count) -> count > 1 ? count - 1 : null);
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
        public Answer query(String name, RecordType type) {
            String lower = TextForms.lowerCase(name);
            String absolute = lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
            Answer answer = ++queries > MAX_QUERIES ? BOUND : answer(new Question(absolute, type));
            counter(label(answer)).increment();
            return answer;
        }

        private Answer answer(Question question) {
            CompletableFuture<CachedAnswer> cached = cache.getIfPresent(question);
            if (cached == null && known.getIfPresent(question) == null && !mayQuery(question.name())) {
                return BOUND;
            }
            try {
                Answer answer = cache.get(question, (_, _) -> client.apply(question.name(), question.type()))
                        .get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS)
                        .answer();
                if (answer instanceof Answer.Found) {
                    known.put(question, true);
                }
                return answer;
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
            messages.release();
            leave(domain);
        }
    }

    private static String label(Answer answer) {
        return switch (answer) {
            case Answer.Found _ -> "found";
            case Answer.None _ -> "none";
            case Answer.Unknown _ -> "unknown";
        };
    }
}
