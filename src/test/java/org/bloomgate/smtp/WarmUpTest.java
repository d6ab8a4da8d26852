package org.bloomgate.smtp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.bloomgate.background.Background;
import org.bloomgate.nexthop.ReadWatch;
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
        try (RelayWorld world = new RelayWorld(options, Map.of(), folder);
                ReadWatch watch = new ReadWatch("test")) {
            String before = meters(world);
            WarmUp warmUp = new WarmUp(world.relay.collaborators(), () -> false);
            MadeUpMail mails = new MadeUpMail();
            for (int i = 0; i < 100; i++) {
                MadeUpClient client = new MadeUpClient(mails.session(), watch);
                warmUp.play(client);
                assertTrue(client.handedOver(), client::heard);
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
        String listed = "EHLO client.invalid\r\nMAIL FROM:<a@" + ListedDomains.LISTED + ">\r\nRCPT TO:<b@"
                + "dest.invalid>\r\nDATA\r\nSubject: x\r\n\r\nhttp://" + ListedDomains.SILENT + "/\r\n.\r\nQUIT\r\n";
        try (RelayWorld world = new RelayWorld(Map.of(), Map.of(), folder);
                ReadWatch watch = new ReadWatch("test")) {
            MadeUpClient client = new MadeUpClient(listed.getBytes(StandardCharsets.US_ASCII), watch);
            new WarmUp(world.relay.collaborators(), () -> false).play(client);
            assertTrue(client.handedOver(), client::heard);
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
