package org.bloomgate.app.cli.common;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.Console;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Formats rows as columns of text, each as wide as its widest cell and two blanks from the next. A list that
/// is not printed on a terminal has whole values between tabs instead.
public final class TextTable {
    private static final int USUAL_WIDTH = 80;

    /// A terminal that reports fewer columns does not know its width.
    private static final int MIN_WIDTH = 20;

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

        /// The whole value, without padding and digit grouping.
        private String raw(T row) {
            return String.valueOf(cell.apply(row)).replace('\t', ' ');
        }

        private String aligned(String text, int width) {
            String padding = " ".repeat(width - text.length());
            return format.equals(TEXT) ? text + padding : padding + text;
        }
    }

    private TextTable() {}

    /// A list for the stdout of this process: on a terminal, with headings and cut to its width; otherwise a
    /// line for each row with tabs between the values.
    public static <T> List<String> list(List<T> rows, List<Column<T>> columns) {
        OptionalInt width = terminalWidth();
        return width.isPresent()
                ? cut(lines(rows, columns), width.getAsInt())
                : rows.stream()
                        .map(row ->
                                columns.stream().map(column -> column.raw(row)).collect(Collectors.joining("\t")))
                        .toList();
    }

    /// Cuts lines to the width of a terminal.
    static List<String> cut(List<String> lines, int width) {
        return lines.stream()
                .map(line -> line.length() <= width ? line : line.substring(0, width - 1) + "…")
                .toList();
    }

    /// Empty if stdout is not a terminal.
    private static OptionalInt terminalWidth() {
        boolean terminal =
                Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
        return terminal ? OptionalInt.of(columns().orElse(USUAL_WIDTH)) : OptionalInt.empty();
    }

    /// `stty size` prints lines and columns.
    private static Optional<Integer> columns() {
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/tty")))
                    .start();
            String[] size = new String(stty.getInputStream().readAllBytes(), UTF_8)
                    .strip()
                    .split(" ", -1);
            return Optional.of(Integer.valueOf(size[size.length - 1])).filter(columns -> columns >= MIN_WIDTH);
        } catch (IOException | NumberFormatException e) {
            return Optional.empty();
        }
    }

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
