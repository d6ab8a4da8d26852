package org.bloomgate.server.quarantine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import org.bloomgate.base.io.Token;
import org.bloomgate.base.net.ClientMemory;
import org.bloomgate.core.smtp.ClientIdentity;
import org.bloomgate.server.nexthop.MessageBytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QuarantineIntakeTest {
    private static final long MEBIBYTE = 1 << 20;
    private static final int ENVELOPE = 2_048;

    @TempDir
    private Path folder;

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private QuarantineOptions options = new QuarantineOptions(Path.of(""), 100 * MEBIBYTE, 100);
    private int count;

    @BeforeEach
    void open() {
        options = options(100 * MEBIBYTE, 100);
    }

    private QuarantineOptions options(long maxBytes, int maxMessages) {
        return new QuarantineOptions(folder, maxBytes, maxMessages);
    }

    /// As after a start.
    private QuarantineIntake intake(long maxMessageBytes) {
        Quarantine quarantine = new Quarantine(folder);
        return new QuarantineIntake(
                quarantine,
                new QuarantineIndex(quarantine, new ClientMemory(64 << 20), QuarantineIndex.MAX_BYTES, Duration.ZERO),
                folder,
                new QuarantineIntake.Bounds(options, maxMessageBytes),
                registry);
    }

    private QuarantineIntake intake() {
        return intake(1);
    }

    private record Mail(String client, String recipient, int bytes) {}

    private synchronized QuarantineEnvelope envelope(Mail mail) {
        return new QuarantineEnvelope(
                Token.of(count++),
                Instant.EPOCH,
                new ClientIdentity(mail.client(), 1, "", "", ""),
                "a@sender.example",
                "FROM:<a@sender.example>",
                List.of(new QuarantineEnvelope.Recipient(mail.recipient(), "TO:<" + mail.recipient() + ">")),
                "listed",
                "reason",
                "from",
                "subject",
                "feed",
                "category",
                "value");
    }

    private boolean keep(QuarantineIntake intake, Mail mail) throws IOException {
        return intake.store(envelope(mail), new byte[0], message(mail.bytes()));
    }

    private static MessageBytes message(int bytes) {
        return new MessageBytes() {
            @Override
            public long sizeBytes() {
                return bytes;
            }

            @Override
            public InputStream open() {
                return new ByteArrayInputStream(new byte[bytes]);
            }
        };
    }

    /// Messages that are kept before one is deferred.
    private int keepUntilDeferred(QuarantineIntake intake, IntFunction<Mail> mail) throws IOException {
        int kept = 0;
        while (keep(intake, mail.apply(kept))) {
            kept++;
        }
        return kept;
    }

    private static Mail other(int number) {
        return new Mail("198.18." + number + ".7", "r" + number + "@rcpt.example", 1);
    }

    private double deferred(String bound) {
        return registry.counter("bloomgate.quarantine.deferred", "bound", bound).count();
    }

    @Nested
    class AtABound {
        @Test
        void messages_areDeferred() throws IOException {
            assertEquals(100, keepUntilDeferred(intake(), QuarantineIntakeTest::other));
            assertEquals(1, deferred("messages"));
            assertEquals(100, new Quarantine(folder).totals().messages());
        }

        @Test
        void bytes_areDeferred() throws IOException {
            options = options(20 * MEBIBYTE, 1_000);
            int kept = keepUntilDeferred(
                    intake(), n -> new Mail("192.0." + n + ".7", n + "@rcpt.example", (int) MEBIBYTE - ENVELOPE));
            assertEquals(20, kept);
            assertEquals(1, deferred("bytes"));
        }

        @Test
        void messagesOfClientNetwork_areATenth() throws IOException {
            QuarantineIntake intake = intake();
            int kept = keepUntilDeferred(intake, n -> new Mail("192.0.2." + n, n + "@rcpt.example", 1));
            assertEquals(10, kept);
            assertEquals(1, deferred("client"));
            assertTrue(keep(intake, new Mail("192.0.3.1", "other@rcpt.example", 1)));
        }

        @Test
        void networkOfIpv6_isA56() throws IOException {
            QuarantineIntake intake = intake();
            int kept = keepUntilDeferred(
                    intake, n -> new Mail("2001:db8:0:" + Integer.toHexString(n) + "::1", n + "@rcpt.example", 1));
            assertEquals(10, kept);
            assertTrue(keep(intake, new Mail("2001:db8:0:100::1", "other@rcpt.example", 1)));
        }

        @Test
        void bytesOfClientNetwork_areATenth() throws IOException {
            options = options(20 * MEBIBYTE, 1_000);
            int kept = keepUntilDeferred(
                    intake(), n -> new Mail("192.0.2." + n, n + "@rcpt.example", (int) MEBIBYTE - ENVELOPE));
            assertEquals(2, kept);
            assertEquals(1, deferred("client"));
        }

        @Test
        void recipientInAnyCase_hasATenth() throws IOException {
            QuarantineIntake intake = intake();
            int kept = keepUntilDeferred(
                    intake, n -> new Mail("192.0." + n + ".7", n % 2 == 0 ? "b@rcpt.example" : "B@Rcpt.example", 1));
            assertEquals(10, kept);
            assertEquals(1, deferred("recipient"));
            assertTrue(keep(intake, other(200)));
        }

        @Test
        void clientWithoutAddress_hasNoShare() throws IOException {
            assertEquals(100, keepUntilDeferred(intake(), n -> new Mail("", n + "@rcpt.example", 1)));
        }

        @Test
        void reserveOfTheSpool_isDeferredAndNothingIsWritten() throws IOException {
            long free = Files.getFileStore(folder).getUsableSpace();
            assertFalse(keep(intake(free), other(1)));
            assertEquals(1, deferred("spool"));
            assertEquals(0, new Quarantine(folder).totals().messages());
        }
    }

    @Nested
    class Room {
        @Test
        void afterARestart_isWhatItWas() throws IOException {
            keepUntilDeferred(intake(), n -> new Mail("192.0.2." + n, n + "@rcpt.example", 1));
            assertFalse(keep(intake(), new Mail("192.0.2.99", "other@rcpt.example", 1)));
            keepUntilDeferred(intake(), QuarantineIntakeTest::other);
            assertEquals(0, keepUntilDeferred(intake(), n -> other(200 + n)));
        }

        @Test
        void ofARemovedMessage_isFreeAgain() throws IOException {
            QuarantineIntake intake = intake();
            keepUntilDeferred(intake, QuarantineIntakeTest::other);
            Quarantine another = new Quarantine(folder);
            another.remove(another.list().getFirst());
            assertEquals(1, keepUntilDeferred(intake, n -> other(200 + n)));
        }

        @Test
        void ofAMessageThatCannotBeWritten_isFreeAgain() throws IOException {
            QuarantineIntake intake = intake();
            MessageBytes unreadable = new MessageBytes() {
                @Override
                public long sizeBytes() {
                    return 1;
                }

                @Override
                public InputStream open() throws IOException {
                    throw new IOException("unreadable");
                }
            };
            for (int i = 0; i < 100; i++) {
                QuarantineEnvelope envelope = envelope(other(i));
                assertThrows(IOException.class, () -> intake.store(envelope, new byte[0], unreadable));
            }
            assertEquals(100, keepUntilDeferred(intake, QuarantineIntakeTest::other));
        }

        @Test
        void underConcurrentSessions_isNeverExceeded() throws Exception {
            QuarantineIntake intake = intake();
            List<Callable<Boolean>> sessions = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                Mail mail = other(i);
                sessions.add(() -> keep(intake, mail));
            }
            int kept = 0;
            try (ExecutorService threads = Executors.newFixedThreadPool(16)) {
                for (Future<Boolean> one : threads.invokeAll(sessions)) {
                    kept += one.get() ? 1 : 0;
                }
            }
            assertEquals(100, kept);
            assertEquals(100, new Quarantine(folder).totals().messages());
        }

        @Test
        void raisedByAReload_isThereAtOnce() throws IOException {
            QuarantineIntake intake = intake();
            keepUntilDeferred(intake, QuarantineIntakeTest::other);
            intake.use(new QuarantineIntake.Bounds(options(100 * MEBIBYTE, 101), 1));
            assertEquals(1, keepUntilDeferred(intake, n -> other(200 + n)));
        }
    }
}
