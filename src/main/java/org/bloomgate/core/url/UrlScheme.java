package org.bloomgate.core.url;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.bloomgate.core.text.TextForms;

/// The part of a URL before the authority.
///
/// @param name in lower case; empty if there is no scheme
/// @param end the start of the text after the colon
/// @param namesHost whether the scheme leads to a host
record UrlScheme(String name, int end, boolean namesHost) {
    private static final UrlScheme HTTP = new UrlScheme("http", 5, true);
    private static final UrlScheme HTTPS = new UrlScheme("https", 6, true);

    private static final Set<String> OPAQUE = Set.of(
            "about",
            "bitcoin",
            "blob",
            "callto",
            "cid",
            "data",
            "facetime",
            "file",
            "geo",
            "im",
            "javascript",
            "magnet",
            "mailto",
            "mid",
            "news",
            "sip",
            "sips",
            "skype",
            "sms",
            "tel",
            "urn",
            "vbscript",
            "xmpp");

    /// Characters that a name may contain after its first letter.
    private static final AsciiSet INNER = AsciiSet.lettersDigitsAnd("+.-");

    private static final Set<String> WEB = Set.of("http", "https", "ftp");

    static UrlScheme read(byte[] bytes, int from, int to) {
        if (startsWith(bytes, from, to, "https:")) {
            return new UrlScheme("https", from + HTTPS.end, true);
        }
        if (startsWith(bytes, from, to, "http:")) {
            return new UrlScheme("http", from + HTTP.end, true);
        }
        int colon = nameEnd(bytes, from, to);
        return colon == from || colon == to || bytes[colon] != ':' ? none(from) : named(bytes, from, colon, to);
    }

    private static UrlScheme none(int from) {
        return new UrlScheme("", from, true);
    }

    private static UrlScheme named(byte[] bytes, int from, int colon, int to) {
        String name = TextForms.lowerCase(new String(bytes, from, colon - from, StandardCharsets.US_ASCII));
        boolean slash = colon + 1 < to && (bytes[colon + 1] == '/' || bytes[colon + 1] == '\\');
        boolean port = colon + 1 < to && bytes[colon + 1] >= '0' && bytes[colon + 1] <= '9';
        if (WEB.contains(name)) {
            return new UrlScheme(name, colon + 1, true);
        }
        if (OPAQUE.contains(name)) {
            return new UrlScheme(name, colon + 1, false);
        }
        if (name.indexOf('.') >= 0 || port) {
            return none(from);
        }
        return new UrlScheme(name, colon + 1, slash);
    }

    /// The end of the longest `[A-Za-z][A-Za-z0-9+.-]*`.
    static int nameEnd(byte[] bytes, int from, int to) {
        if (from == to || !isLetter(bytes[from])) {
            return from;
        }
        int end = from + 1;
        while (end < to && INNER.has((char) (bytes[end] & 0xff))) {
            end++;
        }
        return end;
    }

    private static boolean isLetter(byte b) {
        int lower = b | 0x20;
        return lower >= 'a' && lower <= 'z';
    }

    /// Compares without regard to ASCII case; `lower` is in lower case.
    static boolean startsWith(byte[] bytes, int from, int to, String lower) {
        if (to - from < lower.length()) {
            return false;
        }
        for (int i = 0; i < lower.length(); i++) {
            int b = bytes[from + i];
            int folded = b >= 'A' && b <= 'Z' ? b | 0x20 : b;
            if (folded != lower.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
