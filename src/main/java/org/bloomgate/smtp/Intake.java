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
            long earned = Duration.ofSeconds(1).toNanos() * (total / timeouts.minimumRate());
            long deadline = Math.min(System.nanoTime() - began, earned) + head + began;
            int taken = connection.scan(intake.scanner, deadline);
            if (taken == 0) {
                throw new EOFException("connection closed inside DATA");
            }
            total += taken;
        }
        connection.narrow();
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
