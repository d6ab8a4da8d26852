package org.bloomgate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The formatter breaks a doc line that is too long and leaves its last words on a line of their own.
class DocCommentsTest {
    private static final int FULL_COLUMNS = 96;
    private static final int MAX_WORDS = 2;

    @Test
    void noDocCommentIsTorn() throws IOException {
        List<String> torn = new ArrayList<>();
        for (String root : List.of("src/main/java", "src/test/java", "src/jmh/java")) {
            try (Stream<Path> files = Files.walk(Path.of(root))) {
                for (Path file :
                        files.filter(one -> one.toString().endsWith(".java")).toList()) {
                    look(file, torn);
                }
            }
        }
        assertEquals(List.of(), torn);
    }

    private static void look(Path file, List<String> torn) throws IOException {
        List<String> lines = Files.readAllLines(file);
        for (int i = 1; i + 1 < lines.size(); i++) {
            boolean between = isText(lines.get(i - 1)) && isText(lines.get(i)) && isText(lines.get(i + 1));
            if (between
                    && lines.get(i - 1).length() > FULL_COLUMNS
                    && text(lines.get(i)).split(" ", -1).length <= MAX_WORDS
                    && !startsAnew(text(lines.get(i)))
                    && !startsAnew(text(lines.get(i + 1)))) {
                torn.add(file + ":" + (i + 1));
            }
        }
    }

    private static boolean isText(String line) {
        return line.strip().startsWith("///") && !text(line).isEmpty();
    }

    private static String text(String line) {
        return line.strip().substring(3).strip();
    }

    private static boolean startsAnew(String text) {
        return text.startsWith("@") || text.startsWith("- ") || text.startsWith("```") || text.startsWith("|");
    }
}
