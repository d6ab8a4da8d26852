package org.bloomgate.server.smtp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.bloomgate.decision.journal.Decision;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Plays every file of `dialogues/relay` against a relay on a real socket.
class RelayDialogueIT {
    @TempDir
    private Path folder;

    static Stream<Path> dialogues() throws IOException, URISyntaxException {
        Path dialogues =
                Path.of(RelayDialogueIT.class.getResource("/dialogues/relay").toURI());
        try (Stream<Path> files = Files.list(dialogues)) {
            return files.sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("dialogues")
    @Timeout(30)
    void theDialogueGoesAsWritten(Path file) throws Exception {
        RelayScript script = RelayScript.read(file);
        try (RelayWorld world = new RelayWorld(script.settings(), script.hopReplies(), folder)) {
            try (TestClient client = new TestClient(world.relay.port())) {
                assertEquals("220 relay.example ESMTP Bloomgate", client.line());
                play(script.steps(), client);
            }
            world.relay.close();
            check(script, world);
        }
    }

    private static void play(List<String> steps, TestClient client) throws Exception {
        StringBuilder unsent = new StringBuilder();
        for (String step : steps) {
            if (step.startsWith("C: ")) {
                unsent.append(RelayScript.bytes(step.substring(3)));
            } else {
                if (!unsent.isEmpty()) {
                    client.send(unsent.toString());
                    unsent.setLength(0);
                }
                expect(step, client);
            }
        }
        if (!unsent.isEmpty()) {
            client.send(unsent.toString());
        }
    }

    private static void expect(String step, TestClient client) throws Exception {
        switch (step) {
            case "! closed" -> assertEquals(TestClient.CLOSED, client.line());
            case "! tls" -> client.startTls();
            case "! leave" -> client.close();
            default -> {
                String line = client.line();
                assertTrue(RelayScript.matches(step.substring(3), line), step + " but was " + line);
            }
        }
    }

    private static void check(RelayScript script, RelayWorld world) {
        compare(script.hopRecord(), world.nextHop.record());
        if (!script.decisions().isEmpty()) {
            boolean whole = script.decisions().stream().anyMatch(line -> line.contains(" <- "));
            compare(
                    script.decisions(),
                    world.decisions.stream()
                            .map(decision -> text(decision) + (whole ? more(decision) : ""))
                            .toList());
        }
        assertEquals(0, world.layers.openLeases());
        assertEquals(0, world.temporary().toFile().list().length);
    }

    private static String text(Decision decision) {
        String shadow = decision.outcome().enforced().equals(decision.outcome().action())
                ? ""
                : "(" + decision.outcome().action() + ")";
        return decision.outcome().enforced() + shadow + " " + decision.outcome().verdict() + " "
                + decision.processing().reply();
    }

    private static String more(Decision decision) {
        String refused = decision.envelope().refused().isEmpty()
                ? ""
                : ", refused " + decision.envelope().refused();
        return " <- " + decision.processing().nextHopReply() + refused;
    }

    private static void compare(List<String> expected, List<String> actual) {
        boolean same = expected.size() == actual.size();
        for (int i = 0; same && i < expected.size(); i++) {
            same = RelayScript.matches(expected.get(i), actual.get(i));
        }
        assertTrue(same, () -> "expected " + expected + "\nbut was  " + actual);
    }
}
