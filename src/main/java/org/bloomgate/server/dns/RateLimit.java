package org.bloomgate.server.dns;

import java.net.InetAddress;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLongArray;

/// Bounds the answers to one client network, a /24 or /56, against questions whose sender is forged: the network that
/// gets the answers did not ask. A bucket of one second's answers each, kept as the time it is full again, in a table
/// of fixed size; networks that meet in it by a seeded hash share a bucket.
///
/// Thread-safe without a lock; makes one object a question, the bytes of the address.
final class RateLimit {
    private static final int BUCKETS = 1 << 16;
    private static final long SECOND = 1_000_000_000L;
    private static final int V4_BYTES = 3;
    private static final int V6_BYTES = 7;
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    /// Nanoseconds between two answers; 0 for no bound.
    private final long pause;

    private final AtomicLongArray fullAt;
    private final long seed = ThreadLocalRandom.current().nextLong();

    /// The treatment of a query by the rate limit.
    enum Permit {
        ANSWER,
        /// Told to come by TCP, where no one can forge an address: every second one.
        SLIP,
        DROP
    }

    /// @param answersPerSecond 0 for no bound
    RateLimit(int answersPerSecond) {
        pause = answersPerSecond == 0 ? 0 : Math.max(1, SECOND / answersPerSecond);
        fullAt = new AtomicLongArray(answersPerSecond == 0 ? 1 : BUCKETS);
    }

    /// True if there is no limit.
    boolean isOff() {
        return pause == 0;
    }

    Permit permit(InetAddress client, long nowNanos) {
        return isOff() || takes(bucket(client), nowNanos) ? Permit.ANSWER : over();
    }

    private boolean takes(int bucket, long now) {
        while (true) {
            long full = fullAt.get(bucket);
            // An empty bucket of the start is full; nanoTime may begin anywhere.
            long from = full == 0 || full - now < 0 ? now : full;
            if (from - now > SECOND - pause) {
                return false;
            }
            if (fullAt.compareAndSet(bucket, full, from + pause)) {
                return true;
            }
        }
    }

    private static Permit over() {
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
