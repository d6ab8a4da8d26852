package org.bloomgate.lists.format;

import java.io.IOException;
import java.util.Optional;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedRefusedException;
import org.bloomgate.lists.fetch.PhysicalLines;

/// Parses the lines of one feed by its format. Several threads may use it if [#isStateless()].
final class LineReading {
    private final LineFormat format;
    private final PlainEntries plain;
    private final Optional<KeyKind> plainKind;
    private final boolean digests;

    LineReading(Feed feed, LineFormat format, PlainEntries plain) {
        this.format = format;
        this.plain = plain;
        plainKind = plain.of(feed.kind(), format);
        digests = plain.readsDigests(feed.kind());
    }

    /// Whether the meaning of a line does not depend on earlier lines.
    boolean isStateless() {
        return format.isStateless();
    }

    /// Reads lines to their end.
    void read(PhysicalLines lines, LineTally tally) throws IOException {
        byte[] digest = new byte[PlainEntries.MAX_DIGEST_BYTES];
        while (lines.next()) {
            if (plainKind.isPresent() && addPlain(plainKind.get(), lines, tally)) {
                continue;
            }
            if (digests && format instanceof DigestLines digestLines && addPlain(digestLines, lines, digest, tally)) {
                continue;
            }
            String text = lines.text();
            ParsedLine parsed = parse(text);
            if (!(parsed instanceof ParsedLine.Comment)) {
                parsed = lines.findFault(text)
                        .<ParsedLine>map(ParsedLine.Unreadable::new)
                        .orElse(parsed);
            }
            tally.add(lines.number(), 1, parsed, text);
        }
    }

    /// Adds a line that is a plain key; false for any other line.
    private boolean addPlain(KeyKind kind, PhysicalLines lines, LineTally tally) {
        byte[] bytes = lines.bytes();
        int from = format.findPlainValue(bytes, lines.length());
        int to = lines.length() - format.plainSuffixBytes();
        int start = from < 0 ? from : plain.keyStart(kind, bytes, from, to);
        if (start >= 0) {
            tally.addPlain(lines.number(), kind, bytes, start, to, 0);
        }
        return start >= 0;
    }

    private static boolean addPlain(DigestLines format, PhysicalLines lines, byte[] digest, LineTally tally) {
        long count = format.parsePlain(lines.bytes(), lines.length(), digest);
        if (count >= 0) {
            tally.addPlain(lines.number(), KeyKind.PASSWORD, digest, 0, format.digits() / 2, count);
        }
        return count >= 0;
    }

    private ParsedLine parse(String text) {
        try {
            return format.parse(text);
        } catch (RuntimeException | StackOverflowError fault) {
            return new ParsedLine.Unreadable(FeedRefusedException.describe(fault));
        }
    }
}
