package org.bloomgate.smtp;

import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import org.bloomgate.transit.MessageSpool;

/// Reads one message from a client to its end, whatever is wrong with it: octets left unread would run as commands.
/// Of a message that is not kept, no more is read than another message's size; then the session has to end.
final class Intake {
    /// So much is read to no purpose in any case, as a client that gets its reply is worth more.
    private static final long MIN_UNKEPT_BYTES = 1024 * 1024;

    private final HeaderSieve header;
    private final DataScanner scanner;

    private Intake(MessageSpool spool) {
        header = new HeaderSieve(spool::write);
        scanner = new DataScanner(header);
    }

    /// @throws EOFException when the client leaves before the end
    /// @throws java.net.SocketTimeoutException when it is too slow
    static Intake receive(ClientConnection connection, MessageSpool spool, RelayOptions options) throws IOException {
        Intake intake = new Intake(spool);
        RelayOptions.Timeouts timeouts = options.timeouts();
        long unkept = Math.max(MIN_UNKEPT_BYTES, options.limits().maxMessageBytes());
        long began = System.nanoTime();
        long head = timeouts.data().toNanos();
        long total = 0;
        connection.widen();
        try {
            while (!intake.scanner.ended() && unkept > 0) {
                // a block may take its time, and all of them together no more than the octets so far have earned
                long earned = Duration.ofSeconds(total / timeouts.minimumRate()).toNanos();
                long deadline = began + head + Math.min(System.nanoTime() - began, earned);
                int taken = connection.scan(intake.scanner, deadline);
                if (taken == 0) {
                    throw new EOFException("connection closed inside DATA");
                }
                total += taken;
                unkept -= spool.fault().isPresent() ? taken : 0;
            }
        } finally {
            connection.narrow();
        }
        intake.header.finish();
        return intake;
    }

    /// False when the client had more to send than was read.
    boolean ended() {
        return scanner.ended();
    }

    /// True when a CR or LF stood alone.
    boolean sawBareLineEnds() {
        return scanner.sawBareLineEnds();
    }

    int receivedFields() {
        return header.receivedFields();
    }
}
