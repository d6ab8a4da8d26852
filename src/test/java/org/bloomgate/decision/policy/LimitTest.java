package org.bloomgate.decision.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LimitTest {
    private static final Pattern REACHED = Pattern.compile("\\breached\\(([^;]*)\\);");
    private static final Pattern NAME = Pattern.compile("\"(\\w+)\"");

    /// A limit that policy cannot name is a key that a user would be told is unknown.
    @Test
    void everyLimitThatAnInspectionReachesCanBeNamed() throws IOException {
        Set<String> unknown = new TreeSet<>();
        int found = 0;
        for (String name : new String[] {"archive", "document", "mime", "image"}) {
            try (Stream<Path> files = Files.walk(Path.of("src/main/java/org/bloomgate/content", name))) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    for (String limit : names(Files.readString(file))) {
                        found++;
                        if (Limit.named(limit) == Limit.DEFAULT) {
                            unknown.add(limit);
                        }
                    }
                }
            }
        }
        assertEquals(Set.of(), unknown);
        assertTrue(found > 10, found + " names found");
    }

    private static Set<String> names(String source) {
        Set<String> names = new TreeSet<>();
        Matcher reached = REACHED.matcher(source);
        while (reached.find()) {
            NAME.matcher(reached.group(1)).results().forEach(name -> names.add(name.group(1)));
        }
        return names;
    }
}
