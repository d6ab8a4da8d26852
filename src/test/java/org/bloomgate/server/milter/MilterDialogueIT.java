package org.bloomgate.server.milter;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.bloomgate.decision.journal.Decision;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The dialogues in `src/test/resources/milter`. A line with `-` is configuration, one with `>` is sent, one with `<`
/// the next answer, `< closed` the end of the connection; `=` are the decisions of the journal as
/// `VERDICT ACTION ENFORCED REPLY`, in the end. `|` stands for NUL, bytes stand as `[c0ff]`, and TOKEN for any.
@Timeout(20)
class MilterDialogueIT {
    private static final Path DIALOGUES = Path.of("src/test/resources/milter");
    private static final Pattern HEX = Pattern.compile("\\[((?:[0-9a-f]{2})+)]");
    private static final Pattern TOKEN = Pattern.compile("\\b[0-9A-HJKMNP-TV-Z]{12}\\b");

    @TempDir
    private Path folder;

    static List<Path> dialogues() throws IOException {
        try (Stream<Path> files = Files.list(DIALOGUES)) {
            return files.sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("dialogues")
    void theDialogueIsSpoken(Path file) throws Exception {
        List<String> lines = Files.readAllLines(file);
        List<String> said = new ArrayList<>();
        List<String> wanted =
                lines.stream().filter(line -> line.matches("[<=] .*")).toList();
        try (MilterWorld world = new MilterWorld(folder, String.join("\n", with("- ", lines)))) {
            try (MilterClient client = world.connect()) {
                for (String line : lines) {
                    if (line.startsWith("> ")) {
                        client.send(line.charAt(2), bytes(line.substring(3)));
                    } else if (line.startsWith("< ")) {
                        said.add("< " + next(client));
                    }
                }
            }
            world.stop();
            world.decisions.forEach(decision -> said.add("= " + text(decision)));
            assertEquals(
                    String.join("\n", wanted),
                    TOKEN.matcher(String.join("\n", said)).replaceAll("TOKEN"));
            assertEquals(0, world.listed.openLeases());
            assertTrue(world.memory.take(MilterWorld.MEMORY), "all memory was given back");
        }
    }

    private static List<String> with(String start, List<String> lines) {
        return lines.stream()
                .filter(line -> line.startsWith(start))
                .map(line -> line.substring(start.length()))
                .toList();
    }

    private static String text(Decision decision) {
        return decision.outcome().verdict() + " " + decision.outcome().action() + " "
                + decision.outcome().enforced() + " " + decision.processing().reply();
    }

    private static String bytes(String text) {
        return HEX.matcher(text.replaceFirst("^ ", "").replace('|', '\0'))
                .replaceAll(hex -> java.util.regex.Matcher.quoteReplacement(
                        new String(HexFormat.of().parseHex(hex.group(1)), ISO_8859_1)));
    }

    private static String next(MilterClient client) throws IOException {
        try {
            String answer = client.read();
            String data = answer.substring(1);
            return (answer.charAt(0) + " " + (answer.charAt(0) == 'O' ? hex(data) : shown(data))).strip();
        } catch (EOFException e) {
            return "closed";
        }
    }

    private static String hex(String bytes) {
        return "[" + HexFormat.of().formatHex(bytes.getBytes(ISO_8859_1)) + "]";
    }

    private static String shown(String data) {
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < data.length(); i++) {
            char b = data.charAt(i);
            shown.append(b >= ' ' && b <= '~' ? String.valueOf(b) : hex(String.valueOf(b)));
        }
        return shown.toString().replace("][", "").replace("[00]", "|");
    }
}
