package org.bloomgate.server.http;

import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The list of problems in docs/api.md is that of the code.
class DocumentedProblemsTest {
    @Test
    void document_hasEveryProblemWithItsText() throws IOException {
        String text = Files.readString(Path.of("docs", "api.md")).replaceAll("\n +", " ");
        Set<String> documented = Pattern.compile("(?m)^- (`[a-z-]+` \\(\\d{3}\\): .*)$")
                .matcher(text)
                .results()
                .map(item -> item.group(1))
                .collect(toSet());
        Set<String> known = Stream.of(ProblemType.values())
                .map(type -> "`" + type.label() + "` (" + type.status() + "): " + type.text())
                .collect(toSet());
        assertEquals(known, documented);
    }
}
