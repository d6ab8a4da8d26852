package org.bloomgate.smtp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.bloomgate.background.Background;
import org.bloomgate.rehearsal.MadeUpClient;
import org.bloomgate.rehearsal.MadeUpMail;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class WarmUpTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @MethodSource
    void madeUpMailIsAcceptedAndNobodyHearsOfIt(Map<String, String> options) throws Exception {
        try (RelayWorld world = new RelayWorld(options, Map.of(), folder)) {
            String before = meters(world);
            try (WarmUpRelay relay = new WarmUpRelay(world.relay.collaborators())) {
                MadeUpClient client = new MadeUpClient(relay.port());
                MadeUpMail mails = new MadeUpMail();
                for (int i = 0; i < 50; i++) {
                    assertEquals("250 2.0.0 Ok: forgotten", client.play(mails.session()));
                }
            }
            assertEquals(before, meters(world));
            assertEquals(0, world.nextHop.messages().size());
            assertTrue(world.nextHop.record().isEmpty(), world.nextHop.record()::toString);
            assertTrue(world.decisions.isEmpty(), world.decisions::toString);
            assertEquals(0, world.layers.openLeases());
            assertNoFiles(world.temporary());
            assertFalse(Files.exists(world.quarantine()));
        }
    }

    static List<Map<String, String>> madeUpMailIsAcceptedAndNobodyHearsOfIt() {
        return List.of(
                Map.of(),
                Map.of("relayDomains", "dest.example"),
                Map.of("clientNetworks", "192.0.2.0/24"),
                Map.of("tls", "on"));
    }

    private static String meters(RelayWorld world) {
        return world.metrics.getMetersAsString();
    }

    private static void assertNoFiles(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            assertEquals(0, files.count());
        }
    }

    @Test
    void nobodyBehindTheFiltersIsAsked() throws Exception {
        String message = "Subject: x\r\n\r\nhttp://" + ListedDomains.SILENT + "/\r\n.\r\n";
        assertEquals("250 2.0.0 Ok: forgotten", reply(ListedDomains.LISTED, MadeUpMail.DOMAIN, message));
    }

    @Test
    void mailOfStrangersIsNotTaken() throws Exception {
        IOException refused = assertThrows(
                IOException.class, () -> reply("a.example", "dest.example", "Subject: x\r\n\r\nx\r\n.\r\n"));
        assertEquals("503", String.valueOf(refused.getMessage()).substring(0, 3));
    }

    /// Of the relay of a warm-up.
    private String reply(String sender, String recipient, String message) throws Exception {
        MadeUpMail.Session session = new MadeUpMail.Session(
                List.of(
                        "EHLO client.invalid\r\n",
                        "MAIL FROM:<a@" + sender + ">\r\n",
                        "RCPT TO:<b@" + recipient + ">\r\n",
                        "DATA\r\n"),
                message);
        try (RelayWorld world = new RelayWorld(Map.of(), Map.of(), folder);
                WarmUpRelay relay = new WarmUpRelay(world.relay.collaborators())) {
            return new MadeUpClient(relay.port()).play(session);
        }
    }

    @Test
    void whatAKilledOneHasLeftGoesWithTheNextStart() throws Exception {
        Path left =
                Files.createDirectories(folder.resolve("tmp/warm-up/decisions")).resolve("day.jsonl");
        Files.writeString(left, "{}");
        try (RelayWorld world = new RelayWorld(Map.of(), Map.of(), folder)) {
            assertNoFiles(world.temporary());
        }
    }

    @Test
    void itEndsWithTheFirstSession() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        try (RelayWorld world = new RelayWorld(Map.of(), Map.of(), folder)) {
            new WarmUp(world.relay.collaborators(), () -> asked.incrementAndGet() > 3).run(Duration.ofMinutes(5));
            assertEquals(5, asked.get());
        }
    }

    @Test
    void itEndsWithItsTime() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        try (RelayWorld world = new RelayWorld(Map.of(), Map.of(), folder)) {
            new WarmUp(world.relay.collaborators(), () -> asked.incrementAndGet() < 0).run(Duration.ofNanos(1));
            assertEquals(1, asked.get());
        }
    }

    @Test
    void aTimeOfZeroSwitchesItOff() throws Exception {
        try (RelayWorld world = new RelayWorld(Map.of(), Map.of(), folder)) {
            Optional<Background> none = WarmUp.start(world.relay.collaborators(), Duration.ZERO, () -> false);
            assertEquals(Optional.empty(), none);
        }
    }

    @ParameterizedTest
    @CsvSource({"max 100000, true", "50000 100000, false", "100000 100000, true", "250000 100000, true", "x y, true"})
    void belowOneCoreThereIsNone(String quota, boolean wholeCore) throws IOException {
        assertEquals(wholeCore, WarmUp.holdsWholeCore(Files.writeString(folder.resolve("cpu.max"), quota + "\n")));
        assertTrue(WarmUp.holdsWholeCore(folder.resolve("missing")));
    }
}
