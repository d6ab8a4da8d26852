package org.bloomgate.server.quarantine;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;
import org.bloomgate.base.net.IpLiteral;
import org.bloomgate.base.net.Network;
import org.bloomgate.core.text.TextForms;

/// Number and bytes of the quarantined messages: in total, for each client network (a /24, or an IPv6 /56) and
/// for each recipient. The tables have a fixed size, so that no sender can make them grow; networks or
/// recipients with the same hash are counted together. Guarded by the lock of its user.
final class QuarantineShares {
    /// One client network or recipient has at most this fraction (1/10) of either bound.
    static final int MAX_PART = 10;

    private static final int ROW_BITS = 13;

    private final Totals all = new Totals(1);
    private final Totals clients = new Totals(1 << ROW_BITS);
    private final Totals recipients = new Totals(1 << ROW_BITS);

    /// The size of one message, with the rows of its client and recipients.
    static final class Share {
        private final long bytes;
        private final int[] client;
        private final int[] recipients;

        private Share(long bytes, int[] client, int[] recipients) {
            this.bytes = bytes;
            this.client = client;
            this.recipients = recipients;
        }

        /// @param envelope empty if it is lost
        /// @param bytes of message and envelope
        static Share of(Optional<QuarantineEnvelope> envelope, long bytes) {
            return new Share(
                    bytes,
                    envelope.flatMap(found -> IpLiteral.parse(found.client().address())).stream()
                            .mapToInt(QuarantineShares::network)
                            .toArray(),
                    envelope.stream()
                            .flatMap(found -> found.recipients().stream())
                            .mapToInt(recipient -> row(TextForms.lowerCase(recipient.address())))
                            .distinct()
                            .toArray());
        }
    }

    private static final class Totals {
        private final int[] messages;
        private final long[] bytes;

        Totals(int rows) {
            messages = new int[rows];
            bytes = new long[rows];
        }

        void add(int row, int sign, long size) {
            messages[row] += sign;
            bytes[row] += sign * size;
        }

        /// True if another message of this size would exceed the fraction of the bounds.
        boolean exceeds(int row, long size, QuarantineOptions bounds, int part) {
            return messages[row] >= Math.max(1, bounds.maxMessages() / part)
                    || bytes[row] + size > bounds.maxBytes() / part;
        }
    }

    /// The bound that one more message would exceed.
    Optional<QuarantineBound> exceeded(Share share, QuarantineOptions bounds) {
        if (all.exceeds(0, share.bytes, bounds, 1)) {
            boolean tooMany = all.messages[0] >= bounds.maxMessages();
            return Optional.of(tooMany ? QuarantineBound.MESSAGES : QuarantineBound.BYTES);
        }
        if (Arrays.stream(share.client).anyMatch(row -> clients.exceeds(row, share.bytes, bounds, MAX_PART))) {
            return Optional.of(QuarantineBound.CLIENT);
        }
        return IntStream.of(share.recipients).anyMatch(row -> recipients.exceeds(row, share.bytes, bounds, MAX_PART))
                ? Optional.of(QuarantineBound.RECIPIENT)
                : Optional.empty();
    }

    void add(Share share) {
        count(share, 1);
    }

    void remove(Share share) {
        count(share, -1);
    }

    private void count(Share share, int sign) {
        all.add(0, sign, share.bytes);
        IntStream.of(share.client).forEach(row -> clients.add(row, sign, share.bytes));
        IntStream.of(share.recipients).forEach(row -> recipients.add(row, sign, share.bytes));
    }

    private static int network(InetAddress client) {
        return row(Network.ofClient(client).toExact().text());
    }

    /// The upper half of a multiplicative hash (Knuth, volume 3, 6.4).
    private static int row(String name) {
        return (name.hashCode() * 0x9E3779B9) >>> (Integer.SIZE - ROW_BITS);
    }
}
