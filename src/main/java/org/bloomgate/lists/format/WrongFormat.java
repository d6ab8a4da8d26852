package org.bloomgate.lists.format;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.bloomgate.core.key.FeedKind;
import org.bloomgate.core.text.TextScan;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedRefusedException;

/// Checks whether the beginning of a feed can be a list of its format, before any line is used.
final class WrongFormat {
    /// The number of bytes that are checked.
    static final int HEAD_BYTES = 8 * 1024;

    /// Part of the header of the first member (POSIX.1-1988, ustar).
    private static final byte[] TAR_MAGIC = {'u', 's', 't', 'a', 'r'};

    private static final int TAR_MAGIC_AT = 257;

    private static final List<String> MARKUP = List.of("<!doctype", "<!--", "<html", "<head", "<body", "<?xml");
    private static final Pattern P2P = Pattern.compile("[^#\\n]*:\\d+(?:\\.\\d+){3}\\s*-\\s*\\d+(?:\\.\\d+){3}\\s*");

    /// The longest line that is tried as one of P2P ranges.
    private static final int MAX_P2P_CHARS = 1_024;

    private WrongFormat() {}

    /// Rejects the feed if it is empty or has another format.
    ///
    /// @param in is reset to its position
    static void refuse(Feed feed, BufferedInputStream in) throws IOException {
        in.mark(HEAD_BYTES);
        byte[] head = in.readNBytes(HEAD_BYTES);
        in.reset();
        if (head.length == 0) {
            throw new FeedRefusedException(feed, "is empty");
        }
        Optional<String> likeness = likeness(feed, head);
        if (likeness.isPresent()) {
            throw new FeedRefusedException(
                    feed,
                    "looks like " + likeness.get() + ", not like format "
                            + feed.format().label());
        }
    }

    /// Whether a text begins as JSON does.
    static boolean isJson(String text) {
        String head = text.substring(0, Math.min(text.length(), HEAD_BYTES));
        int open = TextScan.end(head, 0, TextScan::isBlank);
        int next = TextScan.end(head, Math.min(open + 1, head.length()), TextScan::isBlank);
        String first = open == head.length() || next == head.length() ? "" : head.substring(next, next + 1);
        return !first.isEmpty()
                && switch (head.charAt(open)) {
                    case '{' -> "\"}".contains(first);
                    case '[' -> "\"{[]".contains(first);
                    default -> false;
                };
    }

    private static Optional<String> likeness(Feed feed, byte[] head) {
        if (isUtf16(head)) {
            return Optional.of("UTF-16 text");
        }
        if (isTar(head)) {
            return Optional.of("a tar archive (unpacked, its folder may be the source)");
        }
        String marked = new String(head, StandardCharsets.UTF_8);
        String text = marked.startsWith("\uFEFF") ? marked.substring(1) : marked;
        int first = TextScan.end(text, 0, TextScan::isBlank);
        if (MARKUP.stream().anyMatch(tag -> TextScan.hasWord(text, first, tag))) {
            return Optional.of("HTML or XML, an error or login page perhaps");
        }
        // A password list may contain anything.
        return feed.kind() == FeedKind.PASSWORD ? Optional.empty() : foreignList(feed, head, text);
    }

    private static Optional<String> foreignList(Feed feed, byte[] head, String text) {
        if (isBinary(head)) {
            return Optional.of("a binary file");
        }
        if (!feed.format().isJson() && isJson(text)) {
            return Optional.of("JSON");
        }
        if (text.lines().anyMatch(WrongFormat::isOfZeek)) {
            return Optional.of("a Zeek intelligence file");
        }
        boolean ranges = text.lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .findFirst()
                .filter(line ->
                        line.length() <= MAX_P2P_CHARS && P2P.matcher(line).matches())
                .isPresent();
        return ranges ? Optional.of("P2P address ranges") : Optional.empty();
    }

    private static boolean isOfZeek(String line) {
        int end = line.startsWith("#fields") ? 7 : line.startsWith("#separator") ? 10 : line.length();
        return line.startsWith("\t", end) || line.startsWith(" ", end);
    }

    private static boolean isUtf16(byte[] head) {
        return head.length >= 2
                && ((head[0] == (byte) 0xff && head[1] == (byte) 0xfe)
                        || (head[0] == (byte) 0xfe && head[1] == (byte) 0xff));
    }

    private static boolean isTar(byte[] head) {
        int to = TAR_MAGIC_AT + TAR_MAGIC.length;
        return head.length >= to && Arrays.equals(head, TAR_MAGIC_AT, to, TAR_MAGIC, 0, TAR_MAGIC.length);
    }

    /// More than one control byte in ten, line ends and tabs aside.
    private static boolean isBinary(byte[] head) {
        int controls = 0;
        for (byte b : head) {
            if (b >= 0 && b < ' ' && b != '\n' && b != '\r' && b != '\t') {
                controls++;
            }
        }
        return controls > head.length / 10;
    }
}
