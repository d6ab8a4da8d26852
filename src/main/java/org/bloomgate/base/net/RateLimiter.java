package org.bloomgate.base.net;

import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/// A rate limit for each network: a token bucket that fills evenly and from which each use takes one token.
///
/// Holds at most [#MAX_NETWORKS] buckets. A new bucket replaces the least recently used one, so a client
/// that uses more networks than that replaces its own buckets and exceeds the rate. Thread-safe, by a lock.
public final class RateLimiter {
    /// The most buckets; they take about 8 MiB.
    public static final int MAX_NETWORKS = 65_536;

    private static final double NANOS_PER_SECOND = 1e9;

    private final double perSecond;
    private final double burst;
    private final int ipv4Bits;
    private final int ipv6Bits;
    private final LongSupplier nanos;
    private final Map<Long, Bucket> buckets = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Bucket> eldest) {
            return size() > MAX_NETWORKS;
        }
    };

    private record Bucket(double tokens, long updatedNanos) {}

    /// @param perSecond tokens that are added in a second
    /// @param burst tokens that a bucket holds at most, and has at first
    /// @param ipv4Bits leading bits that the addresses of a network share
    /// @param ipv6Bits the same of IPv6, at most 64
    /// @param nanos a clock that does not go back
    public RateLimiter(double perSecond, double burst, int ipv4Bits, int ipv6Bits, LongSupplier nanos) {
        this.perSecond = perSecond;
        this.burst = burst;
        this.ipv4Bits = ipv4Bits;
        this.ipv6Bits = ipv6Bits;
        this.nanos = nanos;
    }

    /// Allows `times` uses a minute, which may come in one burst, for each network ([Network#ofClient]).
    public static RateLimiter perMinute(int times, LongSupplier nanos) {
        return new RateLimiter(times / 60.0, times, Network.CLIENT_BITS_IPV4, Network.CLIENT_BITS_IPV6, nanos);
    }

    /// Allows `times` uses a second, which may come in one burst, for each IPv4 address or IPv6 /64.
    public static RateLimiter perSecond(int times, LongSupplier nanos) {
        return new RateLimiter(times, times, 32, 64, nanos);
    }

    /// Takes a token; false if there is none.
    public boolean tryAcquire(InetAddress address) {
        return tryAcquire(toNetwork(address.getAddress()));
    }

    /// Takes a token of the one bucket for all addresses; false if there is none.
    public boolean tryAcquire() {
        return tryAcquire(0);
    }

    private synchronized boolean tryAcquire(long network) {
        long now = nanos.getAsLong();
        Bucket bucket = buckets.getOrDefault(network, new Bucket(burst, now));
        double tokens = Math.min(burst, bucket.tokens() + (now - bucket.updatedNanos()) / NANOS_PER_SECOND * perSecond);
        boolean isAllowed = tokens >= 1;
        buckets.put(network, new Bucket(isAllowed ? tokens - 1 : tokens, now));
        return isAllowed;
    }

    /// An IPv4 network has the number of an IPv6 network in `::/32`, from which no client connects.
    private long toNetwork(byte[] bytes) {
        int bits = bytes.length == 4 ? ipv4Bits : ipv6Bits;
        int length = bytes.length == 4 ? Integer.SIZE : Long.SIZE;
        long number = 0;
        for (int i = 0; i < length / Byte.SIZE; i++) {
            number = (number << Byte.SIZE) | (bytes[i] & 0xff);
        }
        return (number >>> (length - bits)) << (length - bits);
    }

    synchronized int size() {
        return buckets.size();
    }
}
