package org.bloomgate.content.mime;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.bloomgate.core.text.TextForms;

/// The values of Content-Transfer-Encoding (RFC 2045, 6), and the parser of that field. [Base64Body] and
/// [QuotedPrintableBody] decode the content. Programs read the field differently: some use its first word, others
/// any word in it.
enum TransferEncoding {
    /// Not encoded.
    NONE("7bit"),
    BASE64("base64"),
    QUOTED_PRINTABLE("quoted-printable"),
    UUENCODE("x-uuencode"),
    /// An encoding that Bloomgate does not know.
    UNKNOWN("x-unknown");

    /// The most words read after the first one. Hides nothing: a value with more words also counts as unknown.
    private static final int MAX_WORDS = 16;

    private final String label;

    TransferEncoding(String label) {
        this.label = label;
    }

    /// The name of the encoding in a header.
    String label() {
        return label;
    }

    /// Returns a set of only this encoding.
    Set<TransferEncoding> toSet() {
        return Collections.singleton(this);
    }

    /// Returns the encodings that the value of a field may mean: the encoding of its first word, or none if the value
    /// begins with something else, and every encoding named after it.
    static Set<TransferEncoding> parse(String value) {
        int at = skipBlanks(value, 0);
        int end = findWordEnd(value, at);
        boolean isNamed = end > at || value.isBlank();
        TransferEncoding first = end > at ? findByName(value, at, end) : NONE;
        if (end == value.length() && isNamed) {
            return first.toSet();
        }
        Set<TransferEncoding> encodings = EnumSet.of(first);
        for (int words = 0; end < value.length() && words <= MAX_WORDS; words++) {
            at = skipBlanks(value, Math.max(end, at + 1));
            end = findWordEnd(value, at);
            TransferEncoding next = words == MAX_WORDS || end == at ? UNKNOWN : findByName(value, at, end);
            if (next != UNKNOWN || words == MAX_WORDS) {
                encodings.add(next);
                isNamed = true;
            }
        }
        return isNamed ? encodings : UNKNOWN.toSet();
    }

    /// Skips blanks, quotes and comments, which may contain comments (RFC 5322, 3.2.2).
    private static int skipBlanks(String value, int from) {
        int open = 0;
        int at = from;
        while (at < value.length()) {
            char c = value.charAt(at);
            if (open == 0 && c > ' ' && c != '"' && c != '(') {
                return at;
            }
            open += c == '(' ? 1 : c == ')' ? -1 : 0;
            at += c == '\\' ? 2 : 1;
        }
        return value.length();
    }

    private static int findWordEnd(String value, int from) {
        int end = from;
        while (end < value.length() && (Character.isLetterOrDigit(value.charAt(end)) || value.charAt(end) == '-')) {
            end++;
        }
        return end;
    }

    private static TransferEncoding findByName(String value, int from, int to) {
        return switch (TextForms.lowerCase(value.substring(from, to))) {
            case "7bit", "8bit", "binary", "7-bit", "8-bit" -> NONE;
            case "base64" -> BASE64;
            case "quoted-printable" -> QUOTED_PRINTABLE;
            case "uuencode", "x-uuencode", "x-uue" -> UUENCODE;
            default -> UNKNOWN;
        };
    }
}
