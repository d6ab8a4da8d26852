package org.bloomgate.server.quarantine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.bloomgate.Rounds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The quarantine after kill -9 of the process that works on it.
@Timeout(120)
class QuarantineKillIT {
    private static final int ROUNDS = Rounds.ALL ? 3 : 2;

    @TempDir
    private Path folder;

    @Test
    void killedProcess_losesNoQuarantinedMessage() throws Exception {
        Set<String> kept = new HashSet<>();
        for (int round = 0; round < ROUNDS; round++) {
            kept.addAll(untilKilled("keep", 20 + 7 * round));
            assertWhole(kept);
        }
        Set<String> all = tokens();
        for (int round = 0; round < ROUNDS; round++) {
            Set<String> done = new HashSet<>(untilKilled("release", 5 + 3 * round));
            Set<String> delivered = delivered();
            assertTrue(delivered.containsAll(done));
            Set<String> somewhere = new HashSet<>(delivered);
            somewhere.addAll(tokens());
            assertEquals(all, somewhere);
            assertWhole(Set.of());
        }
    }

    /// What the process said it had done, at least this many.
    private List<String> untilKilled(String mode, int lines) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        QuarantineKeeper.class.getName(),
                        mode,
                        folder.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        List<String> said = new ArrayList<>();
        try (BufferedReader out = process.inputReader()) {
            Optional<String> line = Optional.ofNullable(out.readLine());
            while (line.isPresent()) {
                said.add(line.get());
                if (said.size() == lines) {
                    process.toHandle().destroyForcibly();
                }
                line = Optional.ofNullable(out.readLine());
            }
        }
        process.waitFor();
        assertTrue(said.size() >= lines, () -> mode + " ended by itself after " + said.size());
        return said;
    }

    private Quarantine quarantine() {
        return new Quarantine(folder.resolve("quarantine"));
    }

    private Set<String> tokens() throws IOException {
        return new HashSet<>(
                quarantine().list().stream().map(QuarantinedMessage::token).toList());
    }

    private void assertWhole(Set<String> expected) throws IOException {
        List<QuarantinedMessage> messages = quarantine().list();
        assertTrue(tokens().containsAll(expected));
        for (QuarantinedMessage message : messages) {
            assertTrue(message.envelope().isPresent(), message::token);
            assertEquals(whole(message.token()), QuarantineTest.text(message));
        }
    }

    private static String whole(String token) {
        return new String(QuarantineKeeper.id(token), StandardCharsets.US_ASCII)
                + QuarantineKeeper.LINE.repeat(QuarantineKeeper.LINES);
    }

    private Set<String> delivered() throws IOException {
        Set<String> tokens = new HashSet<>();
        try (Stream<Path> mail = Files.list(folder.resolve("mail", "new"))) {
            for (Path file : mail.toList()) {
                String text = Files.readString(file, StandardCharsets.ISO_8859_1);
                String token = text.substring("Message-ID: <".length(), text.indexOf('>'));
                assertEquals(whole(token), text);
                tokens.add(token);
            }
        }
        return tokens;
    }
}
