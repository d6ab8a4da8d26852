package org.bloomgate.server.quarantine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import org.bloomgate.server.nexthop.MessageBytes;
import org.bloomgate.server.nexthop.NextHopOptions;
import org.bloomgate.server.smtp.BytesInMemory;

/// A process to be killed: keeps messages, or releases them into a maildir, until it is, and says what it has
/// done.
final class QuarantineKeeper {
    static final String LINE = "x".repeat(98) + "\r\n";
    static final int LINES = 2_000;

    private QuarantineKeeper() {}

    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[1]);
        if (arguments[0].equals("keep")) {
            keep(folder);
        } else {
            release(folder);
        }
    }

    private static void keep(Path folder) throws IOException {
        Quarantine quarantine = new Quarantine(folder.resolve("quarantine"));
        MessageBytes message = new BytesInMemory(LINE.repeat(LINES));
        while (true) {
            String token = org.bloomgate.base.io.Token.generate();
            quarantine.store(QuarantineTest.envelope(token, Instant.EPOCH), id(token), message);
            System.out.println(token);
        }
    }

    static byte[] id(String token) {
        return ("Message-ID: <" + token + ">\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    private static void release(Path folder) throws IOException {
        Quarantine quarantine = new Quarantine(folder.resolve("quarantine"));
        try (QuarantineRelease release =
                QuarantineRelease.open("maildir:" + folder.resolve("mail"), NextHopOptions.defaults(), quarantine)) {
            for (QuarantinedMessage message : quarantine.list()) {
                release.release(message);
                System.out.println(message.token());
            }
        }
    }
}
