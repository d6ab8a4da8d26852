package org.bloomgate.core.url;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;

/// Finds URLs in base64 or hexadecimal inside a link, which trackers and redirectors use. A text that begins
/// with `http` is recognized in base64 by four or five letters, one spelling for each of the three positions of
/// a byte.
final class CodedUrl {
    /// @param text the characters in the link
    /// @param skip number of characters before a complete group of four
    /// @param before the decoded text of the skipped characters
    private record Mark(String text, int skip, String before) {}

    private static final List<Mark> MARKS = List.of(
            new Mark("aHR0c", 0, ""),
            new Mark("SFRUU", 0, ""),
            new Mark("d3d3L", 0, ""),
            new Mark("0dHA6", 1, "ht"),
            new Mark("0dHBz", 1, "ht"),
            new Mark("odHRw", 1, "h"));

    private static final String HEX = "68747470";

    private CodedUrl() {}

    /// Whether the link contains one of the marks.
    static boolean mayBeIn(String link) {
        for (Mark mark : MARKS) {
            if (link.contains(mark.text)) {
                return true;
            }
        }
        return link.contains(HEX);
    }

    static void collect(String link, Collection<String> targets) {
        String text = link.indexOf('%') < 0 ? link : EmbeddedUrl.decode(link);
        for (Mark mark : MARKS) {
            for (int at = text.indexOf(mark.text); at >= 0; at = text.indexOf(mark.text, at + 1)) {
                int end = endOfBase64(text, at);
                add(mark.before + base64(text.substring(at + mark.skip, end)), targets);
                at = end - 1;
            }
        }
        for (int at = text.indexOf(HEX); at >= 0; at = text.indexOf(HEX, at)) {
            int end = endOfHex(text, at);
            add(hex(text.substring(at, end)), targets);
            at = end;
        }
    }

    /// Adds the printable part of a decoded text, if it begins with a URL.
    private static void add(String decoded, Collection<String> targets) {
        int end = 0;
        while (end < decoded.length() && decoded.charAt(end) > ' ' && "\"<>".indexOf(decoded.charAt(end)) < 0) {
            end++;
        }
        boolean url = end > 0
                && (EmbeddedUrl.startsAt(decoded, 0) || decoded.startsWith("www.") || decoded.startsWith("HTTP"));
        if (url) {
            targets.add(decoded.substring(0, end));
        }
    }

    private static int endOfBase64(String text, int from) {
        int end = from;
        while (end < text.length() && isBase64(text.charAt(end))) {
            end++;
        }
        return end;
    }

    private static boolean isBase64(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '+'
                || c == '/'
                || c == '-'
                || c == '_';
    }

    private static String base64(String digits) {
        int whole = digits.length() % 4 == 1 ? digits.length() - 1 : digits.length();
        String standard = digits.substring(0, whole).replace('-', '+').replace('_', '/');
        return new String(Base64.getDecoder().decode(standard), StandardCharsets.UTF_8);
    }

    private static int endOfHex(String text, int from) {
        int end = from;
        while (end < text.length() && HexFormat.isHexDigit(text.charAt(end))) {
            end++;
        }
        return end;
    }

    private static String hex(String digits) {
        String whole = digits.substring(0, digits.length() - digits.length() % 2);
        return new String(HexFormat.of().parseHex(whole), StandardCharsets.UTF_8);
    }
}
