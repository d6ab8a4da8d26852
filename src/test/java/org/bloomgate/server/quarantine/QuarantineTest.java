package org.bloomgate.server.quarantine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.bloomgate.core.smtp.ClientIdentity;
import org.bloomgate.server.nexthop.MessageBytes;
import org.bloomgate.server.smtp.BytesInMemory;
import org.bloomgate.server.smtp.RelayWorld;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QuarantineTest {
    static final String TOKEN = "0123456789AB";
    private static final byte[] TOP = "Received: here\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final MessageBytes MESSAGE = new BytesInMemory("Subject: x\r\n\r\nbody\r\n");

    @TempDir
    private Path folder;

    private Path root;
    private Quarantine quarantine;

    @BeforeEach
    void open() {
        root = folder.resolve("quarantine");
        quarantine = new Quarantine(root);
    }

    static QuarantineEnvelope envelope(String token, Instant time) {
        return new QuarantineEnvelope(
                token,
                time,
                new ClientIdentity("192.0.2.7", 40_000, "", "mail.example", "ESMTP"),
                "a@from.example",
                "FROM:<a@from.example> BODY=8BITMIME",
                List.of(
                        new QuarantineEnvelope.Recipient("b@to.example", "TO:<b@to.example> NOTIFY=NEVER"),
                        new QuarantineEnvelope.Recipient("c@to.example", "TO:<c@to.example>")),
                "listed",
                "listed at link",
                "A <a@from.example>",
                "Hello",
                "sample",
                "phishing",
                "evil.example");
    }

    private static QuarantineEnvelope envelope() {
        return envelope(TOKEN, RelayWorld.NOW);
    }

    @Test
    void aMessageIsKeptWithItsEnvelope() throws IOException {
        quarantine.store(envelope(), TOP, MESSAGE);
        QuarantinedMessage kept = quarantine.list().getFirst();
        assertEquals(Optional.of(envelope()), kept.envelope());
        assertEquals(RelayWorld.NOW, kept.time());
        assertEquals("Received: here\r\nSubject: x\r\n\r\nbody\r\n", text(kept));
        assertEquals(text(kept).length(), kept.sizeBytes());
    }

    @Test
    void anEnvelopeIsThisLine() throws IOException {
        quarantine.store(envelope(), TOP, MESSAGE);
        String json = Files.readString(root.resolve("envelopes", TOKEN + ".json"));
        assertTrue(
                json.startsWith("{\"token\":\"0123456789AB\",\"time\":\"2026-01-02T03:04:05Z\",\"client\":{\"address\":"
                        + "\"192.0.2.7\",\"port\":40000,"),
                json);
        assertTrue(
                json.endsWith("\"mailFrom\":\"a@from.example\",\"mail\":\"FROM:<a@from.example> BODY=8BITMIME\","
                        + "\"recipients\":[{\"address\":\"b@to.example\",\"rcpt\":\"TO:<b@to.example> NOTIFY=NEVER\"},"
                        + "{\"address\":\"c@to.example\",\"rcpt\":\"TO:<c@to.example>\"}],"
                        + "\"verdict\":\"listed\",\"reason\":\"listed at link\",\"from\":\"A <a@from.example>\","
                        + "\"subject\":\"Hello\",\"feed\":\"sample\",\"category\":\"phishing\","
                        + "\"value\":\"evil.example\"}"),
                json);
    }

    @Test
    void anEnvelopeOfBeforeTheSubjectWasKeptIsStillRead() throws IOException {
        quarantine.store(envelope(), TOP, MESSAGE);
        Path file = root.resolve("envelopes", TOKEN + ".json");
        Files.writeString(file, Files.readString(file).replaceFirst(",\"from\":.*", "}"));
        QuarantineEnvelope read = quarantine.list().getFirst().envelope().orElseThrow();
        assertEquals("listed at link", read.reason());
        assertEquals("", read.subject() + read.from() + read.feed() + read.category() + read.value());
    }

    @Test
    void filesAreForTheirOwnerAlone() throws IOException {
        quarantine.store(envelope(), TOP, MESSAGE);
        try (Stream<Path> all = Files.walk(root)) {
            for (Path path : all.filter(path -> !path.equals(root)).toList()) {
                String expected = Files.isDirectory(path) ? "rwx------" : "rw-------";
                assertEquals(
                        expected, PosixFilePermissions.toString(Files.getPosixFilePermissions(path)), path::toString);
            }
        }
    }

    @Test
    void theOldestComesFirst() throws IOException {
        quarantine.store(envelope("BBBBBBBBBBBB", RelayWorld.NOW), TOP, MESSAGE);
        quarantine.store(envelope("CCCCCCCCCCCC", RelayWorld.NOW.minusSeconds(9)), TOP, MESSAGE);
        assertEquals(List.of("CCCCCCCCCCCC", "BBBBBBBBBBBB"), tokens());
    }

    @Test
    void whereNothingWasEverKeptThereIsNothing() throws IOException {
        assertEquals(List.of(), tokens());
        assertTrue(Files.notExists(root));
    }

    @Test
    void aMailReaderMayMoveAMessageAndFlagIt() throws IOException {
        quarantine.store(envelope(), TOP, MESSAGE);
        Files.move(root.resolve("new", TOKEN), root.resolve("cur", TOKEN + ":2,S"));
        QuarantinedMessage kept = quarantine.list().getFirst();
        assertEquals(TOKEN, kept.token());
        assertEquals(Optional.of(envelope()), kept.envelope());
        quarantine.remove(kept);
        assertEquals(List.of(), files());
    }

    @Test
    void aMessageThatCannotBeKeptLeavesNothing() {
        MessageBytes broken = new MessageBytes() {
            @Override
            public long sizeBytes() {
                return 1;
            }

            @Override
            public InputStream open() throws IOException {
                throw new IOException("No space left on device");
            }
        };
        assertThrows(IOException.class, () -> quarantine.store(envelope(), TOP, broken));
        assertEquals(List.of(), assertFiles());
    }

    private List<String> assertFiles() {
        try {
            return files();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void everyMomentOfACrashLeavesAWholeMessageOrNone() throws IOException {
        quarantine.store(envelope(), TOP, MESSAGE);
        byte[] json = Files.readAllBytes(root.resolve("envelopes", TOKEN + ".json"));
        byte[] message = Files.readAllBytes(root.resolve("new", TOKEN));
        quarantine.remove(quarantine.list().getFirst());

        Files.write(root.resolve("tmp", TOKEN + ".json"), List.of("{\"token\":\"0123"));
        assertEquals(List.of(), tokens());
        Files.move(root.resolve("tmp", TOKEN + ".json"), root.resolve("envelopes", TOKEN + ".json"));
        Files.write(root.resolve("envelopes", TOKEN + ".json"), json);
        assertEquals(List.of(), tokens());
        Files.write(root.resolve("tmp", TOKEN), List.of("Recei"));
        assertEquals(List.of(), tokens());
        Files.write(root.resolve("new", TOKEN), message);
        assertEquals(List.of(TOKEN), tokens());
        Files.delete(root.resolve("new", TOKEN));
        assertEquals(List.of(), tokens());
    }

    @Test
    void whatACrashLeftIsRemovedWhenItIsOld() throws IOException {
        quarantine.store(envelope(), TOP, MESSAGE);
        Files.writeString(root.resolve("tmp", "AAAAAAAAAAAA"), "half");
        Files.writeString(root.resolve("envelopes", "AAAAAAAAAAAA.json"), "{}");
        quarantine.removeLeftovers(Instant.EPOCH);
        assertEquals(4, files().size());
        quarantine.removeLeftovers(Instant.MAX);
        assertEquals(List.of("envelopes/" + TOKEN + ".json", "new/" + TOKEN), files());
    }

    @Test
    void aMessageWithoutAReadableEnvelopeIsStillThere() throws IOException {
        quarantine.store(envelope(), TOP, MESSAGE);
        Path json = root.resolve("envelopes", TOKEN + ".json");
        for (String spoiled : List.of("", "{", "{}", "[]", "null", "{\"token\":\"BBBBBBBBBBBB\"}", "\0")) {
            Files.writeString(json, spoiled);
            assertEquals(Optional.empty(), quarantine.list().getFirst().envelope(), spoiled);
        }
        Files.delete(json);
        assertEquals(Optional.empty(), quarantine.list().getFirst().envelope());
    }

    private List<String> tokens() throws IOException {
        return quarantine.list().stream().map(QuarantinedMessage::token).toList();
    }

    private List<String> files() throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            return all.filter(Files::isRegularFile)
                    .map(path -> root.relativize(path).toString())
                    .sorted()
                    .toList();
        }
    }

    static String text(QuarantinedMessage kept) throws IOException {
        try (InputStream bytes = kept.open()) {
            return new String(bytes.readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }
}
