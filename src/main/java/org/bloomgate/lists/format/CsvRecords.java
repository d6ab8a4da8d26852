package org.bloomgate.lists.format;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.bloomgate.lists.fetch.Excerpt;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedRefusedException;
import org.bloomgate.lists.fetch.PhysicalLines;

/// Reads a CSV feed (RFC 4180) with a header line and the value in a column of the header. The header may be in
/// a banner of `#` lines, as in URLhaus, and blanks may follow a comma, as in MalwareBazaar. The header shows
/// the separator. Without a header, the column is given by its number.
///
/// Lines are joined to a record by their quotes before the record is parsed, so that a broken record is one
/// reject: a quote that is never closed does not hide the following lines.
final class CsvRecords {
    private static final int MAX_SPAN = 64;

    private record Line(long number, String text, Optional<String> fault) {}

    private final Feed feed;
    private final String column;
    private final PhysicalLines source;
    private final LineTally tally;
    private final Deque<Line> pushedBackLines = new ArrayDeque<>();
    private Optional<CsvLayout> layout = Optional.empty();
    private boolean firstRead;

    CsvRecords(Feed feed, PhysicalLines source, LineTally tally) {
        this.feed = feed;
        this.column = feed.position().column().orElse("");
        this.source = source;
        this.tally = tally;
    }

    void read() throws IOException {
        for (Optional<Line> line = nextLine(); line.isPresent(); line = nextLine()) {
            Line first = line.get();
            String text = first.text().strip();
            if (text.isEmpty() || text.charAt(0) == '#') {
                lookForHeader(text);
                tally.add(first.number(), 1, ParsedLine.COMMENT, text);
            } else if (first.fault().isPresent()) {
                tally.add(
                        first.number(),
                        1,
                        new ParsedLine.Unreadable(first.fault().get()),
                        text);
            } else {
                readRecord(first);
            }
        }
        if (layout.isEmpty()) {
            throw new FeedRefusedException(feed, "no header line with a column " + column);
        }
    }

    private Optional<Line> nextLine() throws IOException {
        if (!pushedBackLines.isEmpty()) {
            return Optional.of(pushedBackLines.removeFirst());
        }
        if (!source.next()) {
            return Optional.empty();
        }
        String text = source.text();
        return Optional.of(new Line(source.number(), text, source.findFault(text)));
    }

    private void lookForHeader(String comment) {
        if (!firstRead && layout.isEmpty() && !comment.isEmpty()) {
            layout = CsvLayout.ofHeader(comment.substring(1).strip(), column);
        }
    }

    private void readRecord(Line first) throws IOException {
        List<Line> record = gather(first);
        String text = String.join("\n", record.stream().map(Line::text).toList());
        Optional<List<String>> fields = CsvLayout.splitFields(text, separator());
        if (firstRead ? fields.isEmpty() : !CsvLayout.isRecord(text)) {
            for (int i = record.size() - 1; i > 0; i--) {
                pushedBackLines.addFirst(record.get(i));
            }
            tally.add(first.number(), 1, new ParsedLine.Unreadable("not CSV: a quote out of place"), first.text());
            return;
        }
        ParsedLine parsed = firstRead ? parseFields(fields) : readFirst(text);
        tally.add(first.number(), record.size(), parsed, first.text());
    }

    /// Reads the first record, which is the header or else shows the layout of the others.
    private ParsedLine readFirst(String record) throws FeedRefusedException {
        firstRead = true;
        Optional<CsvLayout> headerLayout = CsvLayout.ofHeader(record, column);
        layout = headerLayout.or(() -> layout).or(() -> CsvLayout.ofNumber(record, column));
        if (layout.isEmpty()) {
            throw new FeedRefusedException(
                    feed, "no column " + column + " in the header " + Excerpt.of(feed, record.strip()));
        }
        return headerLayout.isPresent() ? ParsedLine.COMMENT : parseFields(CsvLayout.splitFields(record, separator()));
    }

    private ParsedLine parseFields(Optional<List<String>> fields) {
        return layout.orElseThrow().parseFields(fields.orElseThrow(), column);
    }

    private char separator() {
        return layout.map(CsvLayout::separator).orElse(CsvLayout.COMMA);
    }

    /// The line and the following ones while a quote is open.
    private List<Line> gather(Line first) throws IOException {
        List<Line> record = new ArrayList<>(List.of(first));
        boolean open = endsInQuotes(first.text(), false);
        int length = first.text().length();
        while (open && record.size() < MAX_SPAN && length < PhysicalLines.MAX_BYTES) {
            Optional<Line> line = nextLine();
            if (line.isEmpty()) {
                break;
            }
            record.add(line.get());
            length += line.get().text().length();
            open = endsInQuotes(line.get().text(), true) && line.get().fault().isEmpty();
        }
        return record;
    }

    private enum Within {
        FIELD_START,
        PLAIN,
        QUOTES,
        CLOSED_QUOTES
    }

    /// Whether the line ends within quotes. They open only at the beginning of a field; two in a row mean one.
    private boolean endsInQuotes(String text, boolean openBefore) {
        char separator = separator();
        Within within = openBefore ? Within.QUOTES : Within.FIELD_START;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            within = switch (within) {
                case QUOTES -> c == '"' ? Within.CLOSED_QUOTES : Within.QUOTES;
                case FIELD_START -> c == '"' ? Within.QUOTES : c == ' ' ? Within.FIELD_START : outside(c, separator);
                case CLOSED_QUOTES -> c == '"' ? Within.QUOTES : outside(c, separator);
                case PLAIN -> outside(c, separator);
            };
        }
        return within == Within.QUOTES;
    }

    private static Within outside(char c, char separator) {
        return c == separator ? Within.FIELD_START : Within.PLAIN;
    }
}
