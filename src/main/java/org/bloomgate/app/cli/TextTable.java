package org.bloomgate.app.cli;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Rows as columns of text, each as wide as its widest cell and two blanks from the next.
public final class TextTable {
    /// One column of a table: text is aligned left, every other format right.
    public record Column<T>(String heading, String format, Function<T, Object> cell) {
        private static final String TEXT = "%s";

        public static <T> Column<T> word(String heading, Function<T, Object> cell) {
            return new Column<>(heading, TEXT, cell);
        }

        public static <T> Column<T> count(String heading, Function<T, Object> cell) {
            return new Column<>(heading, "%,d", cell);
        }

        private List<String> cells(List<T> rows) {
            List<String> cells = Stream.concat(
                            Stream.of(heading),
                            rows.stream().map(row -> String.format(Locale.ROOT, format, cell.apply(row))))
                    .toList();
            int width = cells.stream().mapToInt(String::length).max().orElse(0);
            return cells.stream().map(text -> aligned(text, width)).toList();
        }

        private String aligned(String text, int width) {
            String padding = " ".repeat(width - text.length());
            return format.equals(TEXT) ? text + padding : padding + text;
        }
    }

    private TextTable() {}

    /// A line of headings and one for each row.
    public static <T> List<String> lines(List<T> rows, List<Column<T>> columns) {
        List<List<String>> cells =
                columns.stream().map(column -> column.cells(rows)).toList();
        return IntStream.rangeClosed(0, rows.size())
                .mapToObj(row -> String.join(
                                "  ",
                                cells.stream().map(column -> column.get(row)).toList())
                        .stripTrailing())
                .toList();
    }
}
