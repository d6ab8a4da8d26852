package org.bloomgate.message;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bloomgate.archive.Octets;

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

    /// Two lines of it at least, or a long one.
    private static final Pattern BASE64 =
            Pattern.compile("(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{40,}+(?:\\r?\\n[A-Za-z0-9+/]{4,}+)*+={0,2}");

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

    /// Hands on what the base64 in the octets holds.
    static void base64(byte[] octets, int length, Openers openers) {
        Matcher run = BASE64.matcher(new String(octets, 0, length, StandardCharsets.ISO_8859_1));
        while (openers.spend(64) && run.find()) {
            openers.file("", run.group());
        }
    }
}
