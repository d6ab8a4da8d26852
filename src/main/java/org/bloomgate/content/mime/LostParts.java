package org.bloomgate.content.mime;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;
import org.bloomgate.content.archive.Octets;
import org.bloomgate.content.html.HtmlTokenizer;
import org.bloomgate.content.links.InspectionBudget;

/// Parts of a multipart whose boundary is not declared, not the one declared, or declared twice: found by
/// lines that begin with two hyphens, a field of MIME behind them. Base64 in what is left is found by its
/// lines.
final class LostParts {
    /// Boundaries that are tried: the limit `mime`, which the first of them is.
    static final int MAX_BOUNDARIES = 8;

    /// RFC 2046, 5.1.1 allows 70 characters; clients take more. Hides nothing: where a longer one stands
    /// the limit `mime` is reached without it.
    private static final int MAX_BOUNDARY_CHARS = 400;

    private static final String FIELD = "content-";
    private static final int WORK_PER_RUN = 64;

    /// Of a first line: shorter ones are words. Hides nothing: a URL in base64 has as many.
    private static final int SHORTEST_RUN = 40;

    /// Of each further line.
    private static final int SHORTEST_LINE = 4;

    private LostParts() {}

    /// Boundaries that stand in the octets, in order; more than [#MAX_BOUNDARIES] are not told apart from
    /// text.
    static Set<String> boundaries(byte[] octets, int length, InspectionBudget budget) {
        Set<String> found = new LinkedHashSet<>();
        if (!holdsHyphens(octets, length) || !budget.spend(length)) {
            return found;
        }
        for (int at = 0, next; at < length && found.size() < MAX_BOUNDARIES; at = next) {
            int end = at;
            while (end < length && octets[end] != '\n' && octets[end] != '\r') {
                end++;
            }
            boolean two = end + 1 < length && octets[end] == '\r' && octets[end + 1] == '\n';
            next = two ? end + 2 : end + 1;
            if (Octets.standsAt(octets, end, at, "--") && isField(octets, length, next)) {
                String boundary = new String(octets, at + 2, end - at - 2, StandardCharsets.ISO_8859_1).stripTrailing();
                if (!boundary.isEmpty() && boundary.length() <= MAX_BOUNDARY_CHARS) {
                    found.add(boundary);
                }
            }
        }
        return found;
    }

    private static boolean isField(byte[] octets, int length, int at) {
        for (int i = 0; i < FIELD.length(); i++) {
            if (Character.toLowerCase(Octets.at(octets, length, at + i)) != FIELD.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private static boolean holdsHyphens(byte[] octets, int length) {
        for (int i = 0; i + 3 < length; i++) {
            if (octets[i] == '-'
                    && octets[i + 1] == '-'
                    && (i == 0 || octets[i - 1] == '\n' || octets[i - 1] == '\r')) {
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

    /// Hands on what the base64 in the octets holds: a long run of its digits, and lines of them right below.
    static void base64(byte[] octets, int length, AttachmentReader openers) {
        int at = 0;
        while (at < length) {
            int end = endOfDigits(octets, length, at);
            if (end - at >= SHORTEST_RUN) {
                end = endOfLines(octets, length, end);
                if (!openers.spend(WORK_PER_RUN)) {
                    return;
                }
                openers.file("", new String(octets, at, end - at, StandardCharsets.ISO_8859_1));
            }
            at = end + 1;
        }
    }

    private static int endOfLines(byte[] octets, int length, int from) {
        int end = from;
        while (true) {
            int line = end + (Octets.at(octets, length, end) == '\r' ? 1 : 0);
            int next = Octets.at(octets, length, line) == '\n' ? endOfDigits(octets, length, line + 1) : 0;
            if (next - line <= SHORTEST_LINE) {
                return end;
            }
            end = next;
        }
    }

    private static int endOfDigits(byte[] octets, int length, int from) {
        int end = from;
        while (end < length && (HtmlTokenizer.isLetter((char) octets[end]) || isOther(octets[end]))) {
            end++;
        }
        return end;
    }

    private static boolean isOther(byte c) {
        return (c >= '0' && c <= '9') || c == '+' || c == '/';
    }
}
