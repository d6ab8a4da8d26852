package org.bloomgate.lookup.dnsbl;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.Ticker;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.bloomgate.core.key.Key;

/// One zone of listings. A name is queried once while its answer is fresh, whatever the number of callers.
///
/// Answers are cached for their TTL, within bounds: at least a second, so that a zone without TTLs is not
/// queried for each of a thousand messages, and at most an hour, so that a delisting takes effect within it.
/// Failures are not cached. While the self-test fails, and until it has passed for the first time, answers are
/// not used; earlier answers are dropped then, as it is unknown since when the zone was wrong. Thread-safe.
final class Zone {
    private static final Duration SHORTEST_TTL = Duration.ofSeconds(1);
    private static final Duration LONGEST_TTL = Duration.ofHours(1);

    /// The most queries in progress, each with a socket. Further ones are not sent: a message full of listed names
    /// must not flood the resolver. Self-tests are always sent.
    static final int MAX_QUERIES = 512;

    private static final CompletableFuture<DnsReply> TOO_MANY =
            CompletableFuture.completedFuture(new DnsReply.Failed("zone not queried: too many queries in progress"));

    /// This many failures in a row start a self-test at once.
    static final int SUSPICIOUS = 5;

    private final ZoneSettings settings;
    private final DnsClient client;
    private final SelfTest selfTest;
    private final Ticker ticker;
    private final ZoneCounts counts = new ZoneCounts();
    private final AsyncCache<String, DnsReply> replies;
    private final Semaphore freeQueries = new Semaphore(MAX_QUERIES);
    private final AtomicInteger failures = new AtomicInteger();

    /// @param names number of cached answers at most
    /// @param interval from one self-test to the next
    Zone(
            ZoneSettings settings,
            DnsClient client,
            int names,
            Ticker ticker,
            Duration interval,
            Schedule schedule,
            InstantSource clock) {
        this.settings = settings;
        this.client = client;
        this.ticker = ticker;
        this.replies = Caffeine.newBuilder()
                .maximumSize(names)
                .ticker(ticker)
                .expireAfter(Expiry.<String, DnsReply>creating((queryName, reply) -> lifetime(reply)))
                .buildAsync();
        this.selfTest = new SelfTest(
                settings,
                client,
                interval,
                schedule,
                clock,
                () -> replies.synchronous().invalidateAll());
    }

    private static Duration lifetime(DnsReply reply) {
        return switch (reply) {
            case DnsReply.Addresses addresses -> bounded(addresses.ttl());
            case DnsReply.Absent absent -> bounded(absent.ttl());
            case DnsReply.Failed _ -> Duration.ZERO;
        };
    }

    private static Duration bounded(Duration ttl) {
        Duration atLeast = ttl.compareTo(SHORTEST_TTL) < 0 ? SHORTEST_TTL : ttl;
        return atLeast.compareTo(LONGEST_TTL) > 0 ? LONGEST_TTL : atLeast;
    }

    ZoneSettings settings() {
        return settings;
    }

    /// The template of the zone name, as text.
    String name() {
        return settings.name().template();
    }

    ZoneCounts counts() {
        return counts;
    }

    SelfTest selfTest() {
        return selfTest;
    }

    /// The name to query about a key; empty if there is none.
    Optional<String> toQueryName(Key key) {
        return ZoneQueryName.of(key, settings.keys(), settings.name().toQueryName());
    }

    /// Returns the future answer to a query; it never completes exceptionally.
    CompletableFuture<DnsReply> query(String queryName) {
        CompletableFuture<Void> tested = selfTest.first();
        if (!tested.isDone()) {
            return reply(queryName)
                    .thenCombine(tested, (reply, none) -> selfTestFailure().orElse(reply));
        }
        return selfTestFailure().map(CompletableFuture::completedFuture).orElseGet(() -> reply(queryName));
    }

    private Optional<DnsReply> selfTestFailure() {
        ZoneStatus status = selfTest.status();
        return switch (status.state()) {
            case UNTESTED, PASSED -> Optional.empty();
            case FAILED -> Optional.of(new DnsReply.Failed("zone-self-test: " + name() + ": " + status.fault()));
        };
    }

    private CompletableFuture<DnsReply> reply(String queryName) {
        return replies.get(queryName, (name, executor) -> fetch(name));
    }

    private CompletableFuture<DnsReply> fetch(String queryName) {
        if (!freeQueries.tryAcquire()) {
            return TOO_MANY.copy();
        }
        counts.recordQuery();
        long began = ticker.read();
        return client.query(queryName).thenApply(answer -> {
            DnsReply reply = answer.masked(settings.name());
            freeQueries.release();
            count(reply, ticker.read() - began);
            return reply;
        });
    }

    private void count(DnsReply reply, long nanos) {
        switch (reply) {
            case DnsReply.Absent _ -> {
                counts.recordAbsent(nanos);
                failures.set(0);
            }
            case DnsReply.Addresses listed
            when listed.addresses().stream().allMatch(settings::isOfListing) -> {
                counts.recordListed(nanos);
                failures.set(0);
            }
            case DnsReply.Addresses others -> {
                Optional<String> refusal = others.addresses().stream()
                        .flatMap(address -> settings.refusal(address).stream())
                        .findFirst();
                if (refusal.isPresent()) {
                    counts.recordRefused(nanos);
                    selfTest.recordRefusal(refusal.get());
                } else {
                    recordFailure(nanos);
                }
            }
            case DnsReply.Failed _ -> recordFailure(nanos);
        }
    }

    private void recordFailure(long nanos) {
        counts.recordFailed(nanos);
        if (failures.incrementAndGet() == SUSPICIOUS) {
            failures.set(0);
            selfTest.start();
        }
    }
}
