package org.bloomgate.lookup.dns;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.Ticker;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.bloomgate.base.concurrent.Permits;
import org.bloomgate.lookup.dns.DnsReply.Cause;

/// Asks the DNS, for lists and for the authentication of senders. Equal questions are one query while its answer is
/// fresh, whatever the number of callers. Thread-safe.
///
/// Answers, also negative ones (RFC 2308), are cached for their TTL within bounds: at least a second, so that a zone
/// without TTLs is not queried for each of a thousand messages, and at most an hour, so that a delisting takes effect
/// within it. Failures are cached for five seconds (RFC 9520, 3.2).
public final class DnsClient {
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final Duration SHORTEST_TTL = Duration.ofSeconds(1);
    private static final Duration LONGEST_TTL = Duration.ofHours(1);
    private static final Duration FAILURE_TTL = Duration.ofSeconds(5);

    /// About 50,000 answers of lists.
    private static final long MAX_CACHE_BYTES = 16L * 1024 * 1024;

    /// Of an answer without its texts: question, future, reply and the cache's own objects.
    private static final int ENTRY_BYTES = 300;

    /// The most queries in progress, each with a socket: a message full of listed names must not flood the resolvers.
    static final int MAX_QUERIES = 1024;

    /// Of these about one list, or about names that are in no list: a silent list leaves room for the others.
    public static final int MAX_QUERIES_OF_ZONE = MAX_QUERIES / 2;

    private static final DnsReply TOO_MANY =
            new DnsReply.Failed(Cause.BOUND, "not queried: too many queries in progress");

    private final Function<DnsQuestion, CompletableFuture<DnsReply>> resolvers;
    private final AsyncCache<DnsQuestion, DnsReply> replies;
    private final Permits queries = new Permits(MAX_QUERIES, MAX_QUERIES_OF_ZONE);

    public DnsClient(DnsOptions options) {
        this(options, TIMEOUT);
    }

    /// @param timeout of one query to one resolver; a caller that has less time does not wait so long, but the answer
    ///     is there for the next
    public DnsClient(DnsOptions options, Duration timeout) {
        this(new Resolvers(options.addresses(), timeout)::query, Ticker.systemTicker());
    }

    /// @param resolvers answer a question; never exceptionally
    public DnsClient(Function<DnsQuestion, CompletableFuture<DnsReply>> resolvers, Ticker ticker) {
        this.resolvers = resolvers;
        this.replies = Caffeine.newBuilder()
                .maximumWeight(MAX_CACHE_BYTES)
                .weigher(DnsClient::bytes)
                .ticker(ticker)
                .expireAfter(Expiry.<DnsQuestion, DnsReply>creating((question, reply) -> lifetime(reply)))
                .buildAsync();
    }

    private static int bytes(DnsQuestion question, DnsReply reply) {
        int values = reply instanceof DnsReply.Found found
                ? found.values().stream().mapToInt(String::length).sum()
                : 0;
        return ENTRY_BYTES + question.name().length() + values;
    }

    private static Duration lifetime(DnsReply reply) {
        return switch (reply) {
            case DnsReply.Found found -> bounded(found.ttl());
            case DnsReply.Absent absent -> bounded(absent.ttl());
            case DnsReply.Failed failed -> failed.cause() == Cause.BOUND ? Duration.ZERO : FAILURE_TTL;
        };
    }

    private static Duration bounded(Duration ttl) {
        Duration atLeast = ttl.compareTo(SHORTEST_TTL) < 0 ? SHORTEST_TTL : ttl;
        return atLeast.compareTo(LONGEST_TTL) > 0 ? LONGEST_TTL : atLeast;
    }

    /// Returns the future answer; it never completes exceptionally.
    public CompletableFuture<DnsReply> query(DnsQuestion question) {
        return query(question, UnaryOperator.identity());
    }

    /// @param observe gets the query if no cached answer makes it unnecessary, and returns what callers wait for
    public CompletableFuture<DnsReply> query(DnsQuestion question, UnaryOperator<CompletableFuture<DnsReply>> observe) {
        CompletableFuture<DnsReply> added = new CompletableFuture<>();
        CompletableFuture<DnsReply> present = replies.asMap().putIfAbsent(question, added);
        if (present != null) {
            return present;
        }
        CompletableFuture<DnsReply> _ = send(question, observe).whenComplete((reply, fault) -> {
            if (fault == null) {
                added.complete(reply);
            } else {
                added.completeExceptionally(fault);
            }
        });
        return added;
    }

    private CompletableFuture<DnsReply> send(DnsQuestion question, UnaryOperator<CompletableFuture<DnsReply>> observe) {
        if (!queries.tryAcquire(question.zone())) {
            return CompletableFuture.completedFuture(TOO_MANY);
        }
        return observe.apply(resolvers.apply(question).whenComplete((_, _) -> queries.release(question.zone())));
    }

    /// Asks past the cache and the bound, for a self-test.
    public CompletableFuture<DnsReply> test(DnsQuestion question) {
        return resolvers.apply(question);
    }

    /// True if the question costs no query now.
    public boolean isCached(DnsQuestion question) {
        return replies.getIfPresent(question) != null;
    }

    /// Drops all answers of a list.
    public void forget(String zone) {
        replies.asMap().keySet().removeIf(question -> question.zone().equals(zone));
    }
}
