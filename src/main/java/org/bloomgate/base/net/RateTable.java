package org.bloomgate.base.net;

import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/// A rate limit for each network: a token bucket that fills evenly and from which each use takes one token.
///
/// Holds at most [#MAX_NETWORKS] buckets. A new one replaces the least recently used one, so a client that
/// comes from more networks than that exceeds its rate accordingly. Thread-safe, by a lock.
public final class RateTable {
    /// Some 8 MiB.
    public static final int MAX_NETWORKS = 65_536;

    private static final double NANOS = 1e9;

    private final double perSecond;
    private final double most;
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

    private record Bucket(double tokens, long at) {}

    /// @param perSecond tokens that are added in a second
    /// @param most tokens that a bucket holds at most, and has at first
    /// @param ipv4Bits leading bits that the addresses of a network share
    /// @param ipv6Bits the same of IPv6, at most 64
    /// @param nanos a clock that does not go back
    public RateTable(double perSecond, double most, int ipv4Bits, int ipv6Bits, LongSupplier nanos) {
        this.perSecond = perSecond;
        this.most = most;
        this.ipv4Bits = ipv4Bits;
        this.ipv6Bits = ipv6Bits;
        this.nanos = nanos;
    }

    /// Allows `times` uses a minute, which may come in one burst, for each network ([Network#ofClient]).
    public static RateTable perMinute(int times, LongSupplier nanos) {
        return new RateTable(times / 60.0, times, Network.CLIENT_BITS_IPV4, Network.CLIENT_BITS_IPV6, nanos);
    }

    /// Allows `times` uses a second, which may come in one burst, for each IPv4 address or IPv6 /64.
    public static RateTable perSecond(int times, LongSupplier nanos) {
        return new RateTable(times, times, 32, 64, nanos);
    }

    /// Takes a token; false if there is none.
    public boolean allows(InetAddress address) {
        return allows(toNetwork(address.getAddress()));
    }

    /// Takes a token of the one bucket for all addresses; false if there is none.
    public boolean allows() {
        return allows(0);
    }

    private synchronized boolean allows(long network) {
        long now = nanos.getAsLong();
        Bucket bucket = buckets.getOrDefault(network, new Bucket(most, now));
        double tokens = Math.min(most, bucket.tokens() + (now - bucket.at()) / NANOS * perSecond);
        boolean isAllowed = tokens >= 1;
        buckets.put(network, new Bucket(isAllowed ? tokens - 1 : tokens, now));
        return isAllowed;
    }

    /// IPv4 networks look like those of `::/32`, where no client is.
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
