package org.bloomgate.decision.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReverseLinesTest {
    @TempDir
    Path directory;

    private List<String> reversed(String text) throws IOException {
        Path file = Files.writeString(directory.resolve("lines"), text);
        List<String> lines = new ArrayList<>();
        try (ReverseLines reader = new ReverseLines(file)) {
            for (Optional<String> line = reader.previous(); line.isPresent(); line = reader.previous()) {
                lines.add(line.get());
            }
        }
        return lines;
    }

    @Test
    void linesComeLastFirst() throws IOException {
        assertEquals(List.of("c", "bb", "a"), reversed("a\nbb\nc\n"));
        assertEquals(List.of("torn", "a"), reversed("a\ntorn"));
        assertEquals(List.of("a"), reversed("\n\na\n\n"));
        assertEquals(List.of(), reversed(""));
        assertEquals(List.of(), reversed("\n"));
    }

    @Test
    void linesOverTheEdgesOfBlocksAreWhole() throws IOException {
        Random random = new Random(7);
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            lines.add("é".repeat(1 + random.nextInt(2_000)));
        }
        lines.add("x".repeat(200_000));
        lines.add("y".repeat(64 * 1024 - 1));
        List<String> expected = new ArrayList<>(lines);
        Collections.reverse(expected);
        assertEquals(expected, reversed(lines.stream().collect(Collectors.joining("\n", "", "\n"))));
    }

    @Test
    void aLineAboveTheLimitIsLeftOutAndItsNeighboursAreNot() throws IOException {
        String atLimit = "x".repeat(ReverseLines.MAX_LINE_BYTES);
        assertEquals(List.of("b", "a"), reversed("a\n" + atLimit + "x\nb\n"));
        assertEquals(List.of("b", atLimit, "a"), reversed("a\n" + atLimit + "\nb\n"));
    }
}
