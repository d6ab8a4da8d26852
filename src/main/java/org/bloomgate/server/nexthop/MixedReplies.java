package org.bloomgate.server.nexthop;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/// Envelopes that LMTP took for some recipients and not for others: the client heard one reply for all and
/// comes again. Then each recipient gets a transaction of its own, so that the message is not delivered again
/// to those who have it.
///
/// Remembers hashes of sender and recipient, [#MOST] at most and for [#KEPT]. Thread-safe.
final class MixedReplies {
    static final int MOST = 10_000;
    static final Duration KEPT = Duration.ofHours(4);

    private final LongSupplier nanos;
    private final Map<Long, Long> until = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Long> eldest) {
            return size() > MOST;
        }
    };

    MixedReplies(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /// @param sender as the argument of MAIL
    /// @param recipients as the arguments of RCPT
    synchronized void remember(String sender, List<String> recipients) {
        long end = nanos.getAsLong() + KEPT.toNanos();
        for (String recipient : recipients) {
            long hash = hash(sender, recipient);
            until.remove(hash);
            until.put(hash, end);
        }
    }

    synchronized boolean knows(String sender, String recipient) {
        Long end = until.get(hash(sender, recipient));
        return end != null && end - nanos.getAsLong() > 0;
    }

    /// Sixty-four bits of two hashes: a collision costs a transaction, and loses nothing.
    private static long hash(String sender, String recipient) {
        String pair = path(sender) + '\n' + path(recipient);
        return ((long) pair.hashCode() << Integer.SIZE)
                | (new StringBuilder(pair).reverse().toString().hashCode() & 0xffff_ffffL);
    }

    /// Without parameters, which may differ at the next try.
    private static String path(String argument) {
        int end = argument.lastIndexOf('>');
        return end < 0 ? argument : argument.substring(0, end);
    }
}
