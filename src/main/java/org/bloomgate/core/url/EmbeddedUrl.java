package org.bloomgate.core.url;

import java.util.Collection;

/// Finds URLs with a scheme inside the path or the query of another URL.
final class EmbeddedUrl {
    /// The number of times that a value is unescaped by one level. Hides nothing: deeper escapes are then
    /// undone completely, by which only the start of the inner URL's query is lost.
    private static final int MAX_DECODINGS = 3;

    /// The length of `http:`.
    private static final int SHORTEST = "http:".length();

    private EmbeddedUrl() {}

    /// Adds the URLs in each parameter, then those in the whole query, the fragment and the path.
    static void collect(String link, Collection<String> targets) {
        int question = link.indexOf('?');
        int fragment = link.indexOf('#');
        int pathEnd = question < 0 ? link.length() : question;
        if (question >= 0) {
            collectParameters(link, question + 1, targets);
            find(link.substring(question + 1), targets);
        }
        if (fragment >= 0) {
            find(link.substring(fragment + 1), targets);
        }
        int authority = authorityStart(link, pathEnd);
        if (authority < pathEnd) {
            find(link.substring(authority), targets);
        }
    }

    /// Adds the URLs in the parameters. The query is split before it is decoded, because an escaped `&` belongs
    /// to its value.
    private static void collectParameters(String link, int from, Collection<String> targets) {
        int start = from;
        for (int i = from; i <= link.length(); i++) {
            if (i == link.length() || link.charAt(i) == '&' || link.charAt(i) == ';') {
                if (i - start >= SHORTEST) {
                    find(link.substring(start, i), targets);
                }
                start = i + 1;
            }
        }
    }

    static void find(String value, Collection<String> targets) {
        String text = value;
        for (int decoding = 0; decoding <= MAX_DECODINGS + 1; decoding++) {
            int start = indexOf(text);
            if (start >= 0) {
                targets.add(text.substring(start));
                return;
            }
            String decoded = decoding < MAX_DECODINGS ? decode(text) : decodeToTheEnd(text);
            if (decoded.length() == text.length()) {
                return;
            }
            text = decoded;
        }
    }

    /// Whether [#find] finds a URL.
    static boolean isIn(String value) {
        return indexOf(value) >= 0 || indexOf(decodeToTheEnd(value)) >= 0;
    }

    /// The text without escapes, also of escapes.
    static String decodeToTheEnd(String text) {
        byte[] bytes = Utf8.of(text);
        return Utf8.text(bytes, 0, Escapes.unescape(bytes, 0, bytes.length));
    }

    private static int indexOf(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (startsAt(text, i)) {
                return i;
            }
        }
        return -1;
    }

    /// Whether the text has `http:/`, `https:/` or their backslash forms at a position, in any case, or
    /// `http:host` at the start of a value, for which browsers need no slash.
    static boolean startsAt(String text, int at) {
        if ((text.charAt(at) | 0x20) != 'h' || !text.regionMatches(true, at, "http", 0, 4)) {
            return false;
        }
        int colon = at + 4;
        if (colon < text.length() && (text.charAt(colon) | 0x20) == 's') {
            colon++;
        }
        if (colon + 1 >= text.length() || text.charAt(colon) != ':') {
            return false;
        }
        boolean beginsValue = at > 0 && text.charAt(at - 1) == '=';
        return isSlash(text.charAt(colon + 1)) || (beginsValue && Character.isLetterOrDigit(text.charAt(colon + 1)));
    }

    /// The start of the path, after scheme and authority; `end` if there is none.
    static int pathStart(String link, int end) {
        int at = authorityStart(link, end);
        while (at < end && !isSlash(link.charAt(at))) {
            at++;
        }
        return at;
    }

    static int authorityStart(String link, int end) {
        int at = 0;
        while (at < end && (Character.isLetterOrDigit(link.charAt(at)) || "+.-".indexOf(link.charAt(at)) >= 0)) {
            at++;
        }
        at = at < end && link.charAt(at) == ':' ? at + 1 : 0;
        while (at < end && isSlash(link.charAt(at))) {
            at++;
        }
        return at;
    }

    private static boolean isSlash(char c) {
        return c == '/' || c == '\\';
    }

    /// Undoes one level of ASCII escapes. Other bytes stay escaped, which does not change the canonical form
    /// and needs no guess at a charset.
    static String decode(String text) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        StringBuilder decoded = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int high = c == '%' && i + 2 < text.length() ? Character.digit(text.charAt(i + 1), 16) : -1;
            int low = high < 0 || high > 0x7 ? -1 : Character.digit(text.charAt(i + 2), 16);
            decoded.append(low < 0 ? c : (char) (high * 16 + low));
            i += low < 0 ? 0 : 2;
        }
        return decoded.toString();
    }
}
