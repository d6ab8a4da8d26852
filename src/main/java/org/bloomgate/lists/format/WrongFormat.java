package org.bloomgate.lists.format;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;
import org.bloomgate.core.key.FeedKind;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedRefusedException;

/// Checks whether the beginning of a feed is a list of its format at all, before any line is used.
final class WrongFormat {
    /// How much is looked at.
    static final int HEAD_BYTES = 8 * 1024;

    /// In the header of the first member (POSIX.1-1988, ustar).
    private static final byte[] TAR_MAGIC = {'u', 's', 't', 'a', 'r'};

    private static final int TAR_MAGIC_AT = 257;

    private static final Pattern HTML =
            Pattern.compile("\\s*<(?:!doctype|!--|html|head|body|\\?xml).*", Pattern.DOTALL);
    private static final Pattern JSON = Pattern.compile("\\s*(?:\\{\\s*[\"}]|\\[\\s*[\"{\\[\\]]).*", Pattern.DOTALL);
    private static final Pattern ZEEK = Pattern.compile("(?m)^#(?:fields|separator)[\t ]");
    private static final Pattern P2P = Pattern.compile("[^#\\n]*:\\d+(?:\\.\\d+){3}\\s*-\\s*\\d+(?:\\.\\d+){3}\\s*");

    private WrongFormat() {}

    /// @param in is left where it was
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
        return JSON.matcher(text.substring(0, Math.min(text.length(), HEAD_BYTES)))
                .matches();
    }

    private static Optional<String> likeness(Feed feed, byte[] head) {
        if (isUtf16(head)) {
            return Optional.of("UTF-16 text");
        }
        if (isTar(head)) {
            return Optional.of("a tar archive (unpacked, its folder may be the source)");
        }
        String text = new String(head, StandardCharsets.UTF_8).replaceFirst("^\uFEFF", "");
        if (HTML.matcher(TextForms.lowerCase(text)).matches()) {
            return Optional.of("HTML or XML, an error or login page perhaps");
        }
        // In a password list anything may stand.
        return feed.kind() == FeedKind.PASSWORD ? Optional.empty() : foreignList(feed, head, text);
    }

    private static Optional<String> foreignList(Feed feed, byte[] head, String text) {
        if (isBinary(head)) {
            return Optional.of("a binary file");
        }
        if (!feed.format().isJson() && isJson(text)) {
            return Optional.of("JSON");
        }
        if (ZEEK.matcher(text).find()) {
            return Optional.of("a Zeek intelligence file");
        }
        boolean ranges = text.lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .findFirst()
                .filter(line -> P2P.matcher(line).matches())
                .isPresent();
        return ranges ? Optional.of("P2P address ranges") : Optional.empty();
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
