package org.bloomgate.content.mime;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.bloomgate.core.text.TextForms;

/// How the content of a part is encoded for transfer (RFC 2045, 6). Programs read the field differently: some
/// use its first word, others any word in it.
enum TransferEncoding {
    /// Not encoded.
    NONE("7bit"),
    BASE64("base64"),
    QUOTED_PRINTABLE("quoted-printable"),
    UUENCODE("x-uuencode"),
    /// An encoding that Bloomgate does not know.
    UNKNOWN("x-unknown");

    /// Words read after the first one. Hides nothing: a value with more words counts as unknown as well.
    private static final int MAX_WORDS = 16;

    private final String label;

    TransferEncoding(String label) {
        this.label = label;
    }

    /// Its name in a header.
    String label() {
        return label;
    }

    /// A set of only this encoding.
    Set<TransferEncoding> alone() {
        return Collections.singleton(this);
    }

    /// The encodings that the value of a field may mean: that of its first word, or none if the value begins
    /// with something else, and every encoding named after it.
    static Set<TransferEncoding> of(String value) {
        int at = skipBlanks(value, 0);
        int end = endOfWord(value, at);
        boolean named = end > at || value.isBlank();
        TransferEncoding first = end > at ? named(value, at, end) : NONE;
        if (end == value.length() && named) {
            return first.alone();
        }
        Set<TransferEncoding> found = EnumSet.of(first);
        for (int words = 0; end < value.length() && words <= MAX_WORDS; words++) {
            at = skipBlanks(value, Math.max(end, at + 1));
            end = endOfWord(value, at);
            TransferEncoding next = words == MAX_WORDS || end == at ? UNKNOWN : named(value, at, end);
            if (next != UNKNOWN || words == MAX_WORDS) {
                found.add(next);
                named = true;
            }
        }
        return named ? found : UNKNOWN.alone();
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

    private static int endOfWord(String value, int from) {
        int end = from;
        while (end < value.length() && (Character.isLetterOrDigit(value.charAt(end)) || value.charAt(end) == '-')) {
            end++;
        }
        return end;
    }

    private static TransferEncoding named(String value, int from, int to) {
        return switch (TextForms.lowerCase(value.substring(from, to))) {
            case "7bit", "8bit", "binary", "7-bit", "8-bit" -> NONE;
            case "base64" -> BASE64;
            case "quoted-printable" -> QUOTED_PRINTABLE;
            case "uuencode", "x-uuencode", "x-uue" -> UUENCODE;
            default -> UNKNOWN;
        };
    }
}
