package org.bloomgate.core.key;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/// Rows of a fixture file: cells between tabs, `#` comments, and escapes for what a text file cannot show.
public final class Rows {
    private Rows() {}

    public static Stream<Arguments> of(String file) {
        return text(file)
                .lines()
                .filter(line -> !line.isEmpty() && !line.startsWith("# "))
                .map(line -> Arguments.of((Object[]) line.split("\t", -1)));
    }

    static byte[] bytes(String file) {
        try (InputStream in = Rows.class.getResourceAsStream("/keys/" + file)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(String file) {
        return new String(bytes(file), StandardCharsets.UTF_8);
    }

    /// The text of a cell, one char a byte where the cell has `\xHH`.
    public static byte[] bytesOf(String cell) {
        byte[] bytes = new byte[cell.length() * 3];
        int length = 0;
        for (int i = 0; i < cell.length(); i++) {
            byte[] next;
            if (cell.charAt(i) != '\\') {
                next = cell.substring(i, i + 1).getBytes(StandardCharsets.UTF_8);
            } else if (cell.charAt(i + 1) == 'x') {
                next = new byte[] {(byte) Integer.parseInt(cell.substring(i + 2, i + 4), 16)};
                i += 3;
            } else if (cell.charAt(i + 1) == 'u') {
                next = Character.toString(Integer.parseInt(cell.substring(i + 2, i + 6), 16))
                        .getBytes(StandardCharsets.UTF_8);
                i += 5;
            } else {
                next = cell.substring(i, i + 2).translateEscapes().getBytes(StandardCharsets.UTF_8);
                i += 1;
            }
            System.arraycopy(next, 0, bytes, length, next.length);
            length += next.length;
        }
        return Arrays.copyOf(bytes, length);
    }

    public static String textOf(String cell) {
        return new String(bytesOf(cell), StandardCharsets.UTF_8);
    }
}
