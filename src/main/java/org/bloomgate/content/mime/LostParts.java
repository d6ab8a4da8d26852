package org.bloomgate.content.mime;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;
import org.bloomgate.content.archive.LittleEndian;
import org.bloomgate.content.html.HtmlTokenizer;
import org.bloomgate.core.limit.Allowance;

/// Finds the parts of a multipart whose boundary is not declared, is not the declared one, or is declared
/// twice: by lines that begin with two hyphens and are followed by a MIME field. Base64 in the remaining text
/// is found by its lines.
final class LostParts {
    /// The most boundaries that are tried. The first one already is the limit `mime`.
    static final int MAX_BOUNDARIES = 8;

    /// RFC 2046, 5.1.1 allows 70 characters; clients accept more. Hides nothing: with a longer one, the limit
    /// `mime` is reached in any case.
    private static final int MAX_BOUNDARY_CHARS = 400;

    private static final String FIELD = "content-";
    private static final int WORK_PER_RUN = 64;

    /// The shortest first line of base64; shorter ones are words. Hides nothing: a URL in base64 is not shorter.
    private static final int SHORTEST_RUN = 40;

    /// The shortest further line.
    private static final int SHORTEST_LINE = 4;

    private LostParts() {}

    /// The boundaries in the bytes, in order. Those beyond [#MAX_BOUNDARIES] are text.
    static Set<String> findBoundaries(byte[] bytes, int length, Allowance allowance) {
        Set<String> boundaries = new LinkedHashSet<>();
        if (!containsHyphens(bytes, length) || !allowance.spend(length)) {
            return boundaries;
        }
        for (int at = 0, next; at < length && boundaries.size() < MAX_BOUNDARIES; at = next) {
            int end = at;
            while (end < length && bytes[end] != '\n' && bytes[end] != '\r') {
                end++;
            }
            boolean isCrLf = end + 1 < length && bytes[end] == '\r' && bytes[end + 1] == '\n';
            next = isCrLf ? end + 2 : end + 1;
            if (LittleEndian.isAt(bytes, end, at, "--") && isField(bytes, length, next)) {
                String boundary = new String(bytes, at + 2, end - at - 2, StandardCharsets.ISO_8859_1).stripTrailing();
                if (!boundary.isEmpty() && boundary.length() <= MAX_BOUNDARY_CHARS) {
                    boundaries.add(boundary);
                }
            }
        }
        return boundaries;
    }

    private static boolean isField(byte[] bytes, int length, int at) {
        for (int i = 0; i < FIELD.length(); i++) {
            if (Character.toLowerCase(LittleEndian.at(bytes, length, at + i)) != FIELD.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private static boolean containsHyphens(byte[] bytes, int length) {
        for (int i = 0; i + 3 < length; i++) {
            if (bytes[i] == '-' && bytes[i + 1] == '-' && (i == 0 || bytes[i - 1] == '\n' || bytes[i - 1] == '\r')) {
                return true;
            }
        }
        return false;
    }

    /// A header that declares the boundary.
    static byte[] createHeader(String boundary) {
        String quoted = boundary.replace("\\", "\\\\").replace("\"", "\\\"");
        return ("Content-Type: multipart/mixed; boundary=\"" + quoted + "\"\r\n\r\n")
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    /// Passes on the files that are encoded in base64 in the bytes: a long run of its digits, and lines of them
    /// directly below.
    static void readBase64(byte[] bytes, int length, AttachmentReader attachmentReader) {
        int position = 0;
        while (position < length) {
            int end = findDigitsEnd(bytes, length, position);
            if (end - position >= SHORTEST_RUN) {
                end = findLinesEnd(bytes, length, end);
                if (!attachmentReader.spend(WORK_PER_RUN)) {
                    return;
                }
                attachmentReader.addFile("", new String(bytes, position, end - position, StandardCharsets.ISO_8859_1));
            }
            position = end + 1;
        }
    }

    private static int findLinesEnd(byte[] bytes, int length, int from) {
        int end = from;
        while (true) {
            int line = end + (LittleEndian.at(bytes, length, end) == '\r' ? 1 : 0);
            int next = LittleEndian.at(bytes, length, line) == '\n' ? findDigitsEnd(bytes, length, line + 1) : 0;
            if (next - line <= SHORTEST_LINE) {
                return end;
            }
            end = next;
        }
    }

    private static int findDigitsEnd(byte[] bytes, int length, int from) {
        int end = from;
        while (end < length && (HtmlTokenizer.isLetter((char) bytes[end]) || isOther(bytes[end]))) {
            end++;
        }
        return end;
    }

    private static boolean isOther(byte c) {
        return (c >= '0' && c <= '9') || c == '+' || c == '/';
    }
}
