package org.bloomgate.smtp;

import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;

/// Reads one message from a client to its end, whatever is wrong with it: octets left unread would run as commands.
final class Intake {
    private final HeaderSieve header;
    private final DataScanner scanner;

    private Intake(MessageSpool spool) {
        header = new HeaderSieve(spool);
        scanner = new DataScanner(header);
    }

    /// @throws EOFException when the client leaves before the end
    /// @throws java.net.SocketTimeoutException when it is too slow
    static Intake receive(ClientConnection connection, MessageSpool spool, RelayOptions.Timeouts timeouts)
            throws IOException {
        Intake intake = new Intake(spool);
        long began = System.nanoTime();
        long head = timeouts.data().toNanos();
        long total = 0;
        connection.widen();
        while (!intake.scanner.ended()) {
            // a block may take its time, and all of them together no more than the octets so far have earned
            long earned = Duration.ofSeconds(total / timeouts.minimumRate()).toNanos();
            long deadline = began + head + Math.min(System.nanoTime() - began, earned);
            int taken = connection.scan(intake.scanner, deadline);
            if (taken == 0) {
                throw new EOFException("connection closed inside DATA");
            }
            total += taken;
        }
        connection.narrow();
        intake.header.finish();
        return intake;
    }

    /// True when a CR or LF stood alone.
    boolean sawBareLineEnds() {
        return scanner.sawBareLineEnds();
    }

    int receivedFields() {
        return header.receivedFields();
    }
}
