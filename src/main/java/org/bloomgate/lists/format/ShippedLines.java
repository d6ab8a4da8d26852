package org.bloomgate.lists.format;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/// The entries of a list that ships with the product: ASCII, one per line, `#` for comments.
public final class ShippedLines {
    private ShippedLines() {}

    /// @param beside the class in whose package the file is
    /// @param name of the file
    public static List<String> of(Class<?> beside, String name) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(beside.getResourceAsStream(name), name), StandardCharsets.US_ASCII))) {
            return lines.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
