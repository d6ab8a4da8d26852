package org.bloomgate.server.quarantine;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;
import org.bloomgate.base.net.IpLiteral;
import org.bloomgate.base.net.Network;
import org.bloomgate.core.text.TextForms;

/// What the messages of the quarantine take, in all, for each client network (a /24, or a /56 of IPv6) and for each
/// recipient. The tables have a fixed size, so that no sender can make them grow; two networks or recipients whose
/// hashes are the same share one part. Used under a lock.
final class QuarantineShares {
    /// One client network or recipient holds at most this part of either bound.
    static final int PART = 10;

    private static final int ROWS = 1 << 16;

    private final Totals all = new Totals(1);
    private final Totals clients = new Totals(ROWS);
    private final Totals recipients = new Totals(ROWS);

    /// What one message takes, and for whom.
    static final class Holding {
        private final long bytes;
        private final int[] client;
        private final int[] recipients;

        private Holding(long bytes, int[] client, int[] recipients) {
            this.bytes = bytes;
            this.client = client;
            this.recipients = recipients;
        }

        /// @param envelope empty if it is lost
        /// @param bytes of message and envelope
        static Holding of(Optional<QuarantineEnvelope> envelope, long bytes) {
            return new Holding(
                    bytes,
                    envelope.flatMap(known -> IpLiteral.parse(known.client().address())).stream()
                            .mapToInt(QuarantineShares::network)
                            .toArray(),
                    envelope.stream()
                            .flatMap(known -> known.recipients().stream())
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

        /// Whether one more of this size would exceed a part of the bounds.
        boolean exceeds(int row, long size, QuarantineOptions bounds, int part) {
            return messages[row] >= Math.max(1, bounds.maxMessages() / part)
                    || bytes[row] + size > bounds.maxBytes() / part;
        }
    }

    /// The bound that one more message would exceed.
    Optional<QuarantineBound> exceeded(Holding one, QuarantineOptions bounds) {
        if (all.exceeds(0, one.bytes, bounds, 1)) {
            boolean tooMany = all.messages[0] >= bounds.maxMessages();
            return Optional.of(tooMany ? QuarantineBound.MESSAGES : QuarantineBound.BYTES);
        }
        if (Arrays.stream(one.client).anyMatch(row -> clients.exceeds(row, one.bytes, bounds, PART))) {
            return Optional.of(QuarantineBound.CLIENT);
        }
        return IntStream.of(one.recipients).anyMatch(row -> recipients.exceeds(row, one.bytes, bounds, PART))
                ? Optional.of(QuarantineBound.RECIPIENT)
                : Optional.empty();
    }

    void add(Holding one) {
        count(one, 1);
    }

    void remove(Holding one) {
        count(one, -1);
    }

    private void count(Holding one, int sign) {
        all.add(0, sign, one.bytes);
        IntStream.of(one.client).forEach(row -> clients.add(row, sign, one.bytes));
        IntStream.of(one.recipients).forEach(row -> recipients.add(row, sign, one.bytes));
    }

    private static int network(InetAddress client) {
        return row(Network.ofClient(client).exact().text());
    }

    /// The upper half of a multiplicative hash (Knuth, volume 3, 6.4).
    private static int row(String name) {
        return (name.hashCode() * 0x9E3779B9) >>> Short.SIZE;
    }
}
