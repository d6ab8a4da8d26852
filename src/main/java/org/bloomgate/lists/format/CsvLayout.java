package org.bloomgate.lists.format;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/// The layout of the records of a CSV feed: the separator, the number of columns, and the column with the
/// value.
///
/// @param columns of a record; a record with another number is rejected
/// @param position of the value, from 0
record CsvLayout(char separator, int columns, int position) {
    static final char COMMA = ',';

    /// With a header, the first separator is used by which the header has the column; without one, the
    /// separator that makes the most columns.
    private static final String SEPARATORS = COMMA + "\t;|";

    private static final Pattern NUMBER = Pattern.compile("[1-9]\\d{0,3}");

    /// The layout by a header; empty if it does not name the column.
    static Optional<CsvLayout> ofHeader(String header, String column) {
        return SEPARATORS
                .chars()
                .mapToObj(c -> (char) c)
                .flatMap(separator -> splitFields(header, separator).stream()
                        .filter(names -> findPosition(names, column) >= 0)
                        .map(names -> new CsvLayout(separator, countFilled(names), findPosition(names, column))))
                .findFirst();
    }

    /// The layout by a column number; empty if the record does not have the column.
    ///
    /// @param first record of a feed without a header
    /// @param column its number from 1
    static Optional<CsvLayout> ofNumber(String first, String column) {
        if (!NUMBER.matcher(column).matches()) {
            return Optional.empty();
        }
        int number = Integer.parseInt(column);
        char separator = guessSeparator(first);
        int columns = countColumns(first, separator);
        return number <= columns ? Optional.of(new CsvLayout(separator, columns, number - 1)) : Optional.empty();
    }

    /// The separator that makes the most columns of a record.
    static char guessSeparator(String record) {
        char separator = COMMA;
        for (int i = 1; i < SEPARATORS.length(); i++) {
            char other = SEPARATORS.charAt(i);
            separator = countColumns(record, other) > countColumns(record, separator) ? other : separator;
        }
        return separator;
    }

    private static int countColumns(String record, char separator) {
        return splitFields(record, separator).map(List::size).orElse(0);
    }

    /// The number of columns without empty ones at the end.
    private static int countFilled(List<String> fields) {
        int size = fields.size();
        while (size > 0 && fields.get(size - 1).isBlank()) {
            size--;
        }
        return size;
    }

    private static int findPosition(List<String> names, String column) {
        return names.stream()
                .map(name -> name.strip().equalsIgnoreCase(column))
                .toList()
                .indexOf(true);
    }

    /// The value of a record, or why it has none.
    ParsedLine parseFields(List<String> fields, String column) {
        // Some feeds end each line, but not their header, with a separator, and some only their header.
        int size = fields.size() > columns ? Math.max(columns, countFilled(fields)) : fields.size();
        if (size != columns) {
            return new ParsedLine.Unreadable(size + " fields where the header has " + columns);
        }
        String value = fields.get(position).strip();
        if (value.equalsIgnoreCase(column)) {
            return ParsedLine.COMMENT;
        }
        return value.isEmpty() ? new ParsedLine.Unreadable("nothing in column " + column) : ParsedLine.value(value);
    }

    /// Whether a first record, which may be a header, can be read with any of the separators.
    static boolean isRecord(String text) {
        return SEPARATORS
                .chars()
                .anyMatch(separator -> splitFields(text, (char) separator).isPresent());
    }

    /// The fields of a record; empty if a quote is misplaced.
    static Optional<List<String>> splitFields(String record, char separator) {
        // Blanks around a tab are data to the parser once it drops those around a field.
        CSVFormat format = CSVFormat.RFC4180
                .builder()
                .setDelimiter(separator)
                .setIgnoreSurroundingSpaces(separator != '\t')
                .get();
        try (CSVParser parser = CSVParser.parse(record, format)) {
            List<CSVRecord> records = parser.getRecords();
            return records.size() == 1 ? Optional.of(records.getFirst().toList()) : Optional.empty();
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }
}
