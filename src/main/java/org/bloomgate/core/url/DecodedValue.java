package org.bloomgate.core.url;

import java.util.Collection;
import org.bloomgate.core.text.TextScan;

/// Finds the targets in a decoded value of a link: URLs anywhere in it, a network path (`//host/x`, RFC 3986 4.2) or
/// a host at its begin, and markup, where `+` is a blank as in the values of forms.
final class DecodedValue {
    private DecodedValue() {}

    static void collect(String text, Collection<String> targets, Collection<String> hosts, Collection<String> markup) {
        int at = 0;
        while (at < text.length()) {
            int end = EmbeddedUrl.startsAt(text, at) ? TextScan.next(text, at, DecodedValue::endsUrl) : at;
            if (end > at) {
                targets.add(text.substring(at, end));
            }
            at = end + 1;
        }
        String begin = text.substring(0, TextScan.next(text, 0, DecodedValue::endsUrl));
        if (begin.length() > 2 && isSlash(begin.charAt(0)) && isSlash(begin.charAt(1))) {
            targets.add("http:" + begin);
        } else if (begin.startsWith("www.")) {
            targets.add(begin);
        } else {
            BareHosts.whole(begin, hosts);
        }
        if (hasTag(text)) {
            markup.add(text.replace('+', ' '));
        }
    }

    private static boolean endsUrl(int c) {
        return c <= ' ' || c == '"' || c == '\'' || c == '<' || c == '>';
    }

    private static boolean isSlash(char c) {
        return c == '/' || c == '\\';
    }

    private static boolean hasTag(String text) {
        for (int i = text.indexOf('<'); i >= 0 && i + 1 < text.length(); i = text.indexOf('<', i + 1)) {
            if (TextScan.isLetter(text.charAt(i + 1))) {
                return true;
            }
        }
        return false;
    }
}
