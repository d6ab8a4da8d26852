package org.bloomgate.content.document;

import java.io.ByteArrayOutputStream;
import org.bloomgate.core.limit.Limit;

/// Finds files in text between `begin 644 name` and `end` (POSIX 1003.1 uuencode), the format before MIME,
/// which some clients still support.
public final class Uuencoded {
    private static final String BEGIN = "begin ";

    /// Bytes that are encoded in four characters.
    private static final int BYTES_OF_GROUP = 3;

    private Uuencoded() {}

    /// Passes on every such file in the text.
    public static void read(String text, LinkSink sink) {
        int at = begin(text, 0);
        while (at >= 0 && sink.spend(1)) {
            int line = lineEnd(text, at);
            String name = text.substring(at + BEGIN.length(), line).strip();
            int blank = name.indexOf(' ');
            ByteArrayOutputStream file = new ByteArrayOutputStream();
            int behind = decode(text, line + 1, file, sink);
            if (file.size() > 0 && sink.spend(file.size())) {
                sink.addFile(name.substring(blank + 1), file.toByteArray(), file.size());
            }
            at = begin(text, behind);
        }
    }

    /// The start of the next line with `begin`, an octal mode and a name, at or after `from`; -1 if there is
    /// none.
    private static int begin(String text, int from) {
        int at = text.indexOf(BEGIN, from);
        while (at >= 0) {
            boolean line = at == 0 || text.charAt(at - 1) == '\n' || text.charAt(at - 1) == '\r';
            int digit = at + BEGIN.length();
            if (line && digit + 3 < text.length() && isOctal(text, digit) && isOctal(text, digit + 2)) {
                return at;
            }
            at = text.indexOf(BEGIN, digit);
        }
        return -1;
    }

    private static boolean isOctal(String text, int at) {
        return text.charAt(at) >= '0' && text.charAt(at) <= '7';
    }

    private static int lineEnd(String text, int from) {
        int end = text.indexOf('\n', from);
        return end < 0 ? text.length() : end;
    }

    /// Decodes lines. A short line may stand for 45 zeros and more, so a file that is longer than its text is cut.
    ///
    /// @return the position after the last line of the file
    private static int decode(String text, int from, ByteArrayOutputStream file, LinkSink sink) {
        int at = from;
        while (at < text.length()) {
            if (file.size() > text.length()) {
                sink.reached(Limit.ARCHIVE_RATIO);
                return text.length();
            }
            int end = lineEnd(text, at);
            int length = value(text, at, end);
            if (text.startsWith("end", at) || text.charAt(at) < ' ' || text.charAt(at) > '`') {
                return end;
            }
            for (int i = at + 1, left = length; left > 0; i += 4, left -= BYTES_OF_GROUP) {
                int bits = value(text, i, end) << 18
                        | value(text, i + 1, end) << 12
                        | value(text, i + 2, end) << 6
                        | value(text, i + 3, end);
                for (int b = 0; b < Math.min(BYTES_OF_GROUP, left); b++) {
                    file.write(bits >> (16 - 8 * b));
                }
            }
            at = end + 1;
        }
        return text.length();
    }

    /// The value of a character; 0 beyond the end of the line, because blanks there, which are zeros, may get
    /// lost.
    private static int value(String text, int at, int end) {
        char c = at < end ? text.charAt(at) : ' ';
        return c >= ' ' && c <= '`' ? (c - ' ') & 63 : 0;
    }
}
