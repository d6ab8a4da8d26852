package org.bloomgate;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/// A table of what a rule of the code lets stay, with the reason in its last column: columns are separated by tabs, and
/// a line that begins with `#` is a comment.
final class KeptTable {
    private KeptTable() {}

    /// @param name of a resource
    static List<String[]> rows(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(KeptTable.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split("\t", -1))
                    .toList();
        }
    }
}
