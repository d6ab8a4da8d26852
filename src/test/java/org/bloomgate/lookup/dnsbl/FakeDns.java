package org.bloomgate.lookup.dnsbl;

import com.github.benmanes.caffeine.cache.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.bloomgate.lookup.dns.DnsClient;
import org.bloomgate.lookup.dns.DnsQuestion;
import org.bloomgate.lookup.dns.DnsReply;

/// Answers as told: TEST is listed, a name nobody set does not exist, a name that was held answers when it is let go.
final class FakeDns {
    static final String ZONE = "dbl.example";

    private final Map<String, DnsReply> replies = new HashMap<>(Map.of("test." + ZONE, addresses(60, "127.0.0.2")));
    private final Map<String, CompletableFuture<DnsReply>> held = new HashMap<>();
    private final List<String> queried = new ArrayList<>();

    static DnsReply addresses(long ttl, String... addresses) {
        return new DnsReply.Found(List.of(addresses), Duration.ofSeconds(ttl));
    }

    static DnsReply absent(long ttl) {
        return new DnsReply.Absent(Duration.ofSeconds(ttl));
    }

    static DnsReply failed() {
        return new DnsReply.Failed(DnsReply.Cause.TIMEOUT, "silent: no answer in time");
    }

    /// The same as a zone has it.
    static DnsReply silent() {
        return ZoneName.of(ZONE).ofZone(failed());
    }

    DnsClient client() {
        return client(Ticker.systemTicker());
    }

    DnsClient client(Ticker ticker) {
        return new DnsClient(this::query, ticker);
    }

    synchronized void set(String host, DnsReply reply) {
        replies.put(host + "." + ZONE, reply);
    }

    synchronized void hold(String host) {
        held.put(host + "." + ZONE, new CompletableFuture<>());
    }

    void release(String host, DnsReply reply) {
        CompletableFuture<DnsReply> waiting;
        synchronized (this) {
            set(host, reply);
            waiting = held.remove(host + "." + ZONE);
        }
        if (waiting == null) {
            throw new IllegalStateException(host + " was not held");
        }
        waiting.complete(reply);
    }

    synchronized long queried(String host) {
        return queried.stream().filter((host + "." + ZONE)::equals).count();
    }

    /// The number of names that were queried, without those of the self-test.
    synchronized long queriedNames() {
        return queried.stream()
                .distinct()
                .filter(name -> !Set.of("test." + ZONE, "invalid." + ZONE).contains(name))
                .count();
    }

    private synchronized CompletableFuture<DnsReply> query(DnsQuestion question) {
        queried.add(question.name());
        CompletableFuture<DnsReply> waiting = held.get(question.name());
        return waiting != null
                ? waiting
                : CompletableFuture.completedFuture(replies.getOrDefault(question.name(), absent(60)));
    }
}
