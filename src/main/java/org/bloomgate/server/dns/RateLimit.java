package org.bloomgate.server.dns;

import java.net.InetAddress;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLongArray;

/// Bounds the answers to one client network, a /24 or /56, against queries with a forged sender: the network
/// that gets the answers did not send the queries. Each network has a token bucket of one second's answers,
/// stored as the time at which it is full again, in a table of fixed size; networks with the same seeded hash
/// share a bucket.
///
/// Thread-safe without a lock; allocates one object for each query, the bytes of the address.
final class RateLimit {
    private static final int BUCKETS = 1 << 16;
    private static final long SECOND = 1_000_000_000L;
    private static final int V4_BYTES = 3;
    private static final int V6_BYTES = 7;
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    /// Nanoseconds between two answers; 0 for no bound.
    private final long nanosPerAnswer;

    private final AtomicLongArray fullAt;
    private final long seed = ThreadLocalRandom.current().nextLong();

    /// The treatment of a query by the rate limit.
    enum Permit {
        ANSWER,
        /// Answered as truncated, so that the client uses TCP, where addresses cannot be forged: every second
        /// one.
        SLIP,
        DROP
    }

    /// @param answersPerSecond 0 for no bound
    RateLimit(int answersPerSecond) {
        nanosPerAnswer = answersPerSecond == 0 ? 0 : Math.max(1, SECOND / answersPerSecond);
        fullAt = new AtomicLongArray(answersPerSecond == 0 ? 1 : BUCKETS);
    }

    /// True if there is no limit.
    boolean isOff() {
        return nanosPerAnswer == 0;
    }

    Permit permit(InetAddress client, long nowNanos) {
        return isOff() || take(bucket(client), nowNanos) ? Permit.ANSWER : permitBeyondLimit();
    }

    private boolean take(int bucket, long now) {
        while (true) {
            long full = fullAt.get(bucket);
            // 0 is the initial value and means full; nanoTime may start anywhere.
            long from = full == 0 || full - now < 0 ? now : full;
            if (from - now > SECOND - nanosPerAnswer) {
                return false;
            }
            if (fullAt.compareAndSet(bucket, full, from + nanosPerAnswer)) {
                return true;
            }
        }
    }

    private static Permit permitBeyondLimit() {
        return ThreadLocalRandom.current().nextBoolean() ? Permit.SLIP : Permit.DROP;
    }

    private int bucket(InetAddress client) {
        byte[] bytes = client.getAddress();
        int network = bytes.length == 4 ? V4_BYTES : V6_BYTES;
        long hash = seed;
        for (int i = 0; i < network; i++) {
            hash = (hash ^ bytes[i]) * SPREAD;
            hash ^= hash >>> 32;
        }
        return (int) (hash >>> 40) & (BUCKETS - 1);
    }
}
