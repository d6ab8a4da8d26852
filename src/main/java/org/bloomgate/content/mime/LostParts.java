package org.bloomgate.content.mime;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;
import org.bloomgate.content.archive.LittleEndian;
import org.bloomgate.content.html.HtmlTokenizer;
import org.bloomgate.core.limit.Allowance;

/// Parts of a multipart whose boundary is not declared, not the one declared, or declared twice: found by
/// lines that begin with two hyphens, a field of MIME behind them. Base64 in what is left is found by its
/// lines.
final class LostParts {
    /// Boundaries that are tried: the limit `mime`, which the first of them is.
    static final int MAX_BOUNDARIES = 8;

    /// RFC 2046, 5.1.1 allows 70 characters; clients accept more. Hides nothing: a longer one is the limit
    /// `mime` in any case.
    private static final int MAX_BOUNDARY_CHARS = 400;

    private static final String FIELD = "content-";
    private static final int WORK_PER_RUN = 64;

    /// The shortest first line; shorter ones are words. Hides nothing: a URL in base64 has as many characters.
    private static final int SHORTEST_RUN = 40;

    /// The shortest further line.
    private static final int SHORTEST_LINE = 4;

    private LostParts() {}

    /// The boundaries in the bytes, in order; more than [#MAX_BOUNDARIES] count as text.
    static Set<String> boundaries(byte[] bytes, int length, Allowance allowance) {
        Set<String> found = new LinkedHashSet<>();
        if (!holdsHyphens(bytes, length) || !allowance.spend(length)) {
            return found;
        }
        for (int at = 0, next; at < length && found.size() < MAX_BOUNDARIES; at = next) {
            int end = at;
            while (end < length && bytes[end] != '\n' && bytes[end] != '\r') {
                end++;
            }
            boolean two = end + 1 < length && bytes[end] == '\r' && bytes[end + 1] == '\n';
            next = two ? end + 2 : end + 1;
            if (LittleEndian.standsAt(bytes, end, at, "--") && isField(bytes, length, next)) {
                String boundary = new String(bytes, at + 2, end - at - 2, StandardCharsets.ISO_8859_1).stripTrailing();
                if (!boundary.isEmpty() && boundary.length() <= MAX_BOUNDARY_CHARS) {
                    found.add(boundary);
                }
            }
        }
        return found;
    }

    private static boolean isField(byte[] bytes, int length, int at) {
        for (int i = 0; i < FIELD.length(); i++) {
            if (Character.toLowerCase(LittleEndian.at(bytes, length, at + i)) != FIELD.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private static boolean holdsHyphens(byte[] bytes, int length) {
        for (int i = 0; i + 3 < length; i++) {
            if (bytes[i] == '-' && bytes[i + 1] == '-' && (i == 0 || bytes[i - 1] == '\n' || bytes[i - 1] == '\r')) {
                return true;
            }
        }
        return false;
    }

    /// A header for them.
    static byte[] header(String boundary) {
        String quoted = boundary.replace("\\", "\\\\").replace("\"", "\\\"");
        return ("Content-Type: multipart/mixed; boundary=\"" + quoted + "\"\r\n\r\n")
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    /// Hands on what the base64 in the bytes holds: a long run of its digits, and lines of them right below.
    static void base64(byte[] bytes, int length, AttachmentReader openers) {
        int at = 0;
        while (at < length) {
            int end = endOfDigits(bytes, length, at);
            if (end - at >= SHORTEST_RUN) {
                end = endOfLines(bytes, length, end);
                if (!openers.spend(WORK_PER_RUN)) {
                    return;
                }
                openers.file("", new String(bytes, at, end - at, StandardCharsets.ISO_8859_1));
            }
            at = end + 1;
        }
    }

    private static int endOfLines(byte[] bytes, int length, int from) {
        int end = from;
        while (true) {
            int line = end + (LittleEndian.at(bytes, length, end) == '\r' ? 1 : 0);
            int next = LittleEndian.at(bytes, length, line) == '\n' ? endOfDigits(bytes, length, line + 1) : 0;
            if (next - line <= SHORTEST_LINE) {
                return end;
            }
            end = next;
        }
    }

    private static int endOfDigits(byte[] bytes, int length, int from) {
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
