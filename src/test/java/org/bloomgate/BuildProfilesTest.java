package org.bloomgate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The profiles of `pom.xml` that the gate does not run name classes and packages of this program.
class BuildProfilesTest {
    private static final Pattern NAME = Pattern.compile("org\\.bloomgate(\\.\\w+)+");

    @Test
    void namesInProfiles_exist() throws IOException {
        String pom = Files.readString(Path.of("pom.xml"));
        List<String> names = NAME.matcher(pom.substring(pom.indexOf("<profiles>")))
                .results()
                .map(MatchResult::group)
                .distinct()
                .toList();
        assertTrue(names.contains("org.bloomgate.app.cli.Bloomgate"));
        assertEquals(List.of(), names.stream().filter(name -> !exists(name)).toList());
    }

    private static boolean exists(String name) {
        String path = name.replace('.', '/');
        return List.of("src/main/java", "src/test/java").stream()
                .anyMatch(sources ->
                        Files.exists(Path.of(sources, path + ".java")) || Files.isDirectory(Path.of(sources, path)));
    }
}
