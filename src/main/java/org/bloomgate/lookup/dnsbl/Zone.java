package org.bloomgate.lookup.dnsbl;

import com.github.benmanes.caffeine.cache.Ticker;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.bloomgate.core.key.Key;
import org.bloomgate.lookup.dns.DnsClient;
import org.bloomgate.lookup.dns.DnsQuestion;
import org.bloomgate.lookup.dns.DnsReply;

/// One zone of listings. While the self-test fails, and until it has passed for the first time, answers are
/// not used; earlier answers are dropped then, as it is unknown since when the zone was wrong. Thread-safe.
final class Zone {
    /// This many failures in a row start a self-test at once.
    static final int SUSPICIOUS = 5;

    private final ZoneSettings settings;
    private final DnsClient client;
    private final SelfTest selfTest;
    private final Ticker ticker;
    private final ZoneCounts counts = new ZoneCounts();
    private final AtomicInteger failures = new AtomicInteger();

    /// @param interval from one self-test to the next
    Zone(
            ZoneSettings settings,
            DnsClient client,
            Ticker ticker,
            Duration interval,
            BiFunction<Duration, Runnable, Runnable> schedule,
            InstantSource clock) {
        this.settings = settings;
        this.client = client;
        this.ticker = ticker;
        this.selfTest = new SelfTest(settings, client, interval, schedule, clock, () -> client.forget(name()));
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

    /// True if no query is needed for the answer about a key: it is cached, or the key has no name to query.
    boolean isCached(Key key) {
        return toQueryName(key)
                .map(queryName -> client.isCached(DnsQuestion.ofList(queryName, name())))
                .orElse(true);
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
            case FAILED ->
                Optional.of(
                        new DnsReply.Failed(DnsReply.Cause.ERROR, "zone-self-test: " + name() + ": " + status.fault()));
        };
    }

    private CompletableFuture<DnsReply> reply(String queryName) {
        return client.query(DnsQuestion.ofList(queryName, name()), this::count).thenApply(settings.name()::ofZone);
    }

    private CompletableFuture<DnsReply> count(CompletableFuture<DnsReply> query) {
        counts.recordQuery();
        long began = ticker.read();
        return query.thenApply(reply -> {
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
            case DnsReply.Found listed
            when listed.values().stream().allMatch(settings::isOfListing) -> {
                counts.recordListed(nanos);
                failures.set(0);
            }
            case DnsReply.Found others -> {
                Optional<String> refusal = others.values().stream()
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
