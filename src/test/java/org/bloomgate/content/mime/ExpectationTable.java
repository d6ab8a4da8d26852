package org.bloomgate.content.mime;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.stream.Stream;

/// Rows of `src/test/resources/messages/*.table`: `name | place | host | text`.
record ExpectationTable(String name, String place, String host, String text) {

    static Stream<ExpectationTable> rows(String table) {
        try (InputStream in = ExpectationTable.class.getResourceAsStream("/messages/" + table)) {
            String all = new String(Objects.requireNonNull(in, table).readAllBytes(), StandardCharsets.UTF_8);
            return all
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(ExpectationTable::row)
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ExpectationTable row(String line) {
        String[] cells = line.split(" \\| ", 4);
        return new ExpectationTable(cells[0].strip(), cells[1].strip(), cells[2].strip(), unescape(cells[3]));
    }

    private static String unescape(String text) {
        StringBuilder unescaped = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            char next = c == '\\' && i + 1 < text.length() ? text.charAt(i + 1) : 0;
            boolean unicode = next == 'u' && text.substring(i + 2).matches("(?s)[0-9a-f]{4}.*");
            if (unicode) {
                unescaped.append((char) Integer.parseInt(text.substring(i + 2, i + 6), 16));
                i += 5;
            } else if (next != 0 && "nrt".indexOf(next) >= 0) {
                unescaped.append("\n\r\t".charAt("nrt".indexOf(next)));
                i++;
            } else {
                unescaped.append(c);
            }
        }
        return unescaped.toString();
    }

    @Override
    public String toString() {
        return name;
    }
}
