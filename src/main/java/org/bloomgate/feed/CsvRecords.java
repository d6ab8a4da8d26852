package org.bloomgate.feed;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/// A CSV feed with a header line (RFC 4180), the value in a column named by the header. The header may stand in a
/// banner of `#` lines, as URLhaus has it, and blanks may follow a comma, as MalwareBazaar has them.
///
/// Lines are put together to a record by their quotes before the record is parsed, so that one broken record costs
/// one reject: a quote that is never closed swallows nothing.
final class CsvRecords {
    private static final CSVFormat FORMAT =
            CSVFormat.RFC4180.builder().setIgnoreSurroundingSpaces(true).get();
    private static final int MAX_SPAN = 64;

    private record Line(long number, String text, Optional<String> fault) {}

    private final Feed feed;
    private final String column;
    private final PhysicalLines source;
    private final LineTally tally;
    private final Deque<Line> pushedBack = new ArrayDeque<>();
    private List<String> header = List.of();

    CsvRecords(Feed feed, PhysicalLines source, LineTally tally) {
        this.feed = feed;
        this.column = feed.position().column().orElse("");
        this.source = source;
        this.tally = tally;
    }

    void read() throws IOException {
        for (Optional<Line> line = next(); line.isPresent(); line = next()) {
            Line first = line.get();
            String text = first.text().strip();
            if (text.isEmpty() || text.charAt(0) == '#') {
                lookForHeader(text);
                tally.take(first.number(), 1, ParsedLine.COMMENT, text);
            } else if (first.fault().isPresent()) {
                tally.take(
                        first.number(),
                        1,
                        new ParsedLine.Unreadable(first.fault().get()),
                        text);
            } else {
                take(first);
            }
        }
        if (header.isEmpty()) {
            throw new FeedRefusedException(feed, "no header line with a column " + column);
        }
    }

    private Optional<Line> next() throws IOException {
        if (!pushedBack.isEmpty()) {
            return Optional.of(pushedBack.removeFirst());
        }
        if (!source.next()) {
            return Optional.empty();
        }
        String text = source.text();
        return Optional.of(new Line(source.number(), text, source.fault(text)));
    }

    private void lookForHeader(String comment) {
        if (header.isEmpty() && !comment.isEmpty()) {
            fields(comment.substring(1).strip()).filter(this::hasColumn).ifPresent(found -> header = found);
        }
    }

    private boolean hasColumn(List<String> fields) {
        return fields.stream().anyMatch(field -> field.strip().equalsIgnoreCase(column));
    }

    private void take(Line first) throws IOException {
        List<Line> record = gather(first);
        String text = String.join("\n", record.stream().map(Line::text).toList());
        Optional<List<String>> fields = fields(text);
        if (fields.isEmpty()) {
            for (int i = record.size() - 1; i > 0; i--) {
                pushedBack.addFirst(record.get(i));
            }
            tally.take(first.number(), 1, new ParsedLine.Unreadable("not CSV: a quote out of place"), first.text());
        } else {
            tally.take(first.number(), record.size(), parsed(fields.get()), first.text());
        }
    }

    /// The line and those that follow while a quote is open.
    private List<Line> gather(Line first) throws IOException {
        List<Line> record = new ArrayList<>(List.of(first));
        boolean open = opensQuote(first.text(), false);
        int length = first.text().length();
        while (open && record.size() < MAX_SPAN && length < PhysicalLines.MAX_BYTES) {
            Optional<Line> line = next();
            if (line.isEmpty()) {
                break;
            }
            record.add(line.get());
            length += line.get().text().length();
            open = opensQuote(line.get().text(), true) && line.get().fault().isEmpty();
        }
        return record;
    }

    private enum Within {
        FIELD_START,
        PLAIN,
        QUOTES,
        CLOSED_QUOTES
    }

    /// True when the line ends within quotes, which open only where a field begins; two in a row stand for one.
    private static boolean opensQuote(String text, boolean openBefore) {
        Within within = openBefore ? Within.QUOTES : Within.FIELD_START;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            within = switch (within) {
                case QUOTES -> c == '"' ? Within.CLOSED_QUOTES : Within.QUOTES;
                case FIELD_START -> c == '"' ? Within.QUOTES : c == ' ' ? Within.FIELD_START : outside(c);
                case CLOSED_QUOTES -> c == '"' ? Within.QUOTES : outside(c);
                case PLAIN -> outside(c);
            };
        }
        return within == Within.QUOTES;
    }

    private static Within outside(char c) {
        return c == ',' ? Within.FIELD_START : Within.PLAIN;
    }

    private ParsedLine parsed(List<String> fields) throws IOException {
        if (header.isEmpty()) {
            if (!hasColumn(fields)) {
                throw new FeedRefusedException(
                        feed, "no column " + column + " in the header " + Excerpt.of(feed, String.join(",", fields)));
            }
            header = fields;
            return ParsedLine.COMMENT;
        }
        if (fields.size() != header.size()) {
            return new ParsedLine.Unreadable(fields.size() + " fields where the header has " + header.size());
        }
        String value = fields.get(position()).strip();
        if (value.equalsIgnoreCase(column)) {
            return ParsedLine.COMMENT;
        }
        return value.isEmpty() ? new ParsedLine.Unreadable("nothing in column " + column) : ParsedLine.value(value);
    }

    private int position() {
        int position = 0;
        while (!header.get(position).strip().equalsIgnoreCase(column)) {
            position++;
        }
        return position;
    }

    private static Optional<List<String>> fields(String record) {
        try (CSVParser parser = CSVParser.parse(record, FORMAT)) {
            List<CSVRecord> records = parser.getRecords();
            return records.size() == 1 ? Optional.of(records.getFirst().toList()) : Optional.empty();
        } catch (IOException | RuntimeException malformed) {
            return Optional.empty();
        }
    }
}
