package org.bloomgate.server.smtp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.bloomgate.Rounds;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Whole sessions with bytes changed, in writes cut at random: each is read once more by [SessionReading], and what
/// the next hop has got is what that says, no message more. The seeds are the clients' sides of `dialogues/relay` and
/// `dialogues/end-of-data.tsv`; `dialogues/fuzz` holds sessions that once went wrong.
class SessionFuzzIT {
    private static final int ROUNDS = Rounds.of(3_000);
    private static final int LONGEST_SEED = 8_000;
    private static final String TO_DATA =
            "EHLO client.example\r\nMAIL FROM:<a@from.example>\r\nRCPT TO:<b@to.example>\r\nDATA\r\n";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"normalize", "reject"})
    @Timeout(600)
    void changedSession_deliversWhatTheOracleReads(String bareLineEnds) throws Exception {
        List<String> seeds = sessions("relay");
        EndOfData.all().forEach(sequence -> seeds.add(TO_DATA + EndOfData.BEFORE + sequence.bytes() + EndOfData.AFTER));
        ByteMutator mutator = new ByteMutator(bareLineEnds.hashCode());
        RelayWorld world =
                new RelayWorld(Map.of("bareLineEnds", bareLineEnds, "memoryBytesPerMessage", "1000"), Map.of(), folder);
        for (String known : sessions("fuzz")) {
            play(known, world, mutator);
        }
        for (int round = 0; round < ROUNDS; round++) {
            play(mutator.changed(mutator.oneOf(seeds), seeds), world, mutator);
        }
        assertTrue(
                world.nextHop.messages().size() > ROUNDS / 20,
                () -> world.nextHop.messages().size() + " messages are too few");
        world.close();
        assertEquals(0, world.layers.openLeases());
        assertEquals(0.0, world.metrics.get("bloomgate.smtp.sessions").gauge().value());
        try (Stream<Path> files = Files.list(world.temporary())) {
            assertEquals(0, files.count());
        }
    }

    private static List<String> sessions(String kind) throws IOException, URISyntaxException {
        Path dialogues =
                Path.of(SessionFuzzIT.class.getResource("/dialogues/" + kind).toURI());
        try (Stream<Path> files = Files.list(dialogues)) {
            List<String> sessions = new ArrayList<>();
            for (Path file : files.sorted().toList()) {
                StringBuilder sent = new StringBuilder();
                RelayScript.read(file).steps().stream()
                        .filter(step -> step.startsWith("C: "))
                        .forEach(step -> sent.append(RelayScript.bytes(step.substring(3))));
                if (sent.length() <= LONGEST_SEED && sent.indexOf(ListedDomains.BROKEN) < 0) {
                    sessions.add(sent.toString());
                }
            }
            return sessions;
        }
    }

    private static void play(String sent, RelayWorld world, ByteMutator mutator) throws IOException {
        int before = world.nextHop.messages().size();
        List<String> replies = new ArrayList<>();
        try (TestClient client = new TestClient(world.relay.port())) {
            assertEquals("220", client.reply().substring(0, 3));
            client.sendAll(cut(sent, mutator));
            for (String reply = client.reply(); !reply.equals(TestClient.CLOSED); reply = client.reply()) {
                replies.add(reply);
            }
        }
        List<byte[]> arrived = world.nextHop.messages();
        String session = "C: " + RelayScript.escaped(sent) + "\\c\n" + replies;
        try {
            List<String> kept = SessionReading.of(sent, replies).kept();
            assertEquals(kept.size(), arrived.size() - before, "messages");
            for (int i = 0; i < kept.size(); i++) {
                String message = new String(arrived.get(before + i), ISO_8859_1);
                assertTrue(message.endsWith("\r\n" + kept.get(i)) || holdsOurFields(kept.get(i)), message);
            }
        } catch (AssertionError | RuntimeException wrong) {
            throw new AssertionError(wrong.getMessage() + "\n" + session, wrong);
        }
    }

    /// Our own fields are removed from incoming messages, and a continuation line at the start gets a field name.
    private static boolean holdsOurFields(String message) {
        return message.startsWith(" ")
                || message.startsWith("\t")
                || message.toLowerCase(Locale.ROOT).contains("x-bloomgate-");
    }

    private static List<String> cut(String sent, ByteMutator mutator) {
        List<String> pieces = new ArrayList<>();
        int at = 0;
        while (at < sent.length()) {
            int to = Math.min(sent.length(), at + 1 + mutator.below(mutator.below(3) == 0 ? 40 : 20_000));
            pieces.add(sent.substring(at, to));
            at = to;
        }
        return pieces;
    }
}
