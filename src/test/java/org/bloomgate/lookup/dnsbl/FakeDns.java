package org.bloomgate.lookup.dnsbl;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/// Answers as told: TEST is listed, a name nobody set does not exist, a name that was held answers when it is let go.
final class FakeDns implements DnsClient {
    static final String ZONE = "dbl.example";

    private final Map<String, DnsReply> replies = new HashMap<>(Map.of("test." + ZONE, addresses(60, "127.0.0.2")));
    private final Map<String, CompletableFuture<DnsReply>> held = new HashMap<>();
    private final List<String> queried = new ArrayList<>();

    static DnsReply addresses(long ttl, String... addresses) {
        return new DnsReply.Addresses(new TreeSet<>(List.of(addresses)), Duration.ofSeconds(ttl));
    }

    static DnsReply absent(long ttl) {
        return new DnsReply.Absent(Duration.ofSeconds(ttl));
    }

    static DnsReply failed() {
        return new DnsReply.Failed("zone silent: no answer in time");
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

    @Override
    public synchronized CompletableFuture<DnsReply> query(String name) {
        queried.add(name);
        CompletableFuture<DnsReply> waiting = held.get(name);
        return waiting != null ? waiting : CompletableFuture.completedFuture(replies.getOrDefault(name, absent(60)));
    }
}
