package org.bloomgate.server.nexthop;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/// Envelopes for whose recipients an LMTP next hop gave different replies. The client got one temporary reply for all
/// and retries; then each recipient gets its own transaction and its own reply, and the message is delivered again at
/// most once to recipients that have it.
///
/// Remembers hashes of sender and recipient, at most [#MAX_PAIRS] and for [#RETENTION]. Thread-safe.
final class MixedReplies {
    static final int MAX_PAIRS = 10_000;
    static final Duration RETENTION = Duration.ofHours(4);

    private final LongSupplier nanos;
    private final Map<Long, Long> expiryByHash = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Long> eldest) {
            return size() > MAX_PAIRS;
        }
    };

    MixedReplies(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /// @param sender the argument of MAIL
    /// @param recipients the arguments of RCPT
    synchronized void remember(String sender, List<String> recipients) {
        long end = nanos.getAsLong() + RETENTION.toNanos();
        for (String recipient : recipients) {
            long hash = hash(sender, recipient);
            expiryByHash.remove(hash);
            expiryByHash.put(hash, end);
        }
    }

    synchronized boolean contains(String sender, String recipient) {
        Long end = expiryByHash.get(hash(sender, recipient));
        return end != null && end - nanos.getAsLong() > 0;
    }

    /// 64 bits of two hashes: a collision costs an extra transaction and loses nothing.
    private static long hash(String sender, String recipient) {
        String pair = path(sender) + '\n' + path(recipient);
        return ((long) pair.hashCode() << Integer.SIZE)
                | (new StringBuilder(pair).reverse().toString().hashCode() & 0xffff_ffffL);
    }

    /// The argument without parameters, which may differ at the next try.
    private static String path(String argument) {
        int end = argument.lastIndexOf('>');
        return end < 0 ? argument : argument.substring(0, end);
    }
}
