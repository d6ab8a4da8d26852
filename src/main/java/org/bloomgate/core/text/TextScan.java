package org.bloomgate.core.text;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/// Scans text by its characters, each of which is read a constant number of times. A regular expression may
/// backtrack over a long text from each position, so that 20 KB take hours.
///
/// Characters are those of UTF-16; surrogates are in no class.
public final class TextScan {
    private TextScan() {}

    /// Whether this is an ASCII blank or line end, like `\s` in a regular expression.
    public static boolean isBlank(int c) {
        return c == ' ' || (c >= '\t' && c <= '\r');
    }

    public static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    public static boolean isHexDigit(int c) {
        return isDigit(c) || (lower(c) >= 'a' && lower(c) <= 'f');
    }

    /// Whether this is an ASCII letter.
    public static boolean isLetter(int c) {
        return lower(c) >= 'a' && lower(c) <= 'z';
    }

    /// Whether this is printable ASCII, including the blank.
    public static boolean isPrintable(int c) {
        return c >= ' ' && c <= '~';
    }

    /// The text with a question mark for each character that is not printable ASCII.
    public static String printable(String text) {
        StringBuilder ascii = new StringBuilder(text.length());
        text.codePoints().map(c -> isPrintable(c) ? c : '?').forEach(ascii::appendCodePoint);
        return ascii.toString();
    }

    private static int lower(int c) {
        return c >= 'A' && c <= 'Z' ? c | 0x20 : c;
    }

    /// The end of the run of matching characters at a position; the position itself if there is none.
    public static int end(CharSequence text, int from, IntPredicate members) {
        int end = from;
        while (end < text.length() && members.test(text.charAt(end))) {
            end++;
        }
        return end;
    }

    /// The first matching character at or after a position; the length of the text if there is none.
    public static int next(CharSequence text, int from, IntPredicate members) {
        return end(text, from, members.negate());
    }

    /// Whether the text has from `least` to `most` characters, all of which match.
    public static boolean consistsOf(CharSequence text, IntPredicate members, int least, int most) {
        return text.length() >= least && text.length() <= most && end(text, 0, members) == text.length();
    }

    /// Whether the text has a word at a position, with its ASCII letters in any case.
    ///
    /// @param word in lower case
    public static boolean hasWord(CharSequence text, int at, String word) {
        int i = 0;
        while (i < word.length() && at + i < text.length() && lower(text.charAt(at + i)) == word.charAt(i)) {
            i++;
        }
        return i == word.length();
    }

    /// The text without the matching characters; the same string if there are none.
    public static String without(String text, IntPredicate dropped) {
        int first = next(text, 0, dropped);
        if (first == text.length()) {
            return text;
        }
        StringBuilder result = new StringBuilder(text.length()).append(text, 0, first);
        for (int i = first; i < text.length(); i++) {
            if (!dropped.test(text.charAt(i))) {
                result.append(text.charAt(i));
            }
        }
        return result.toString();
    }

    /// The text of a quoted string without the backslashes before quoted characters (RFC 5322 3.2.4).
    public static String unescaped(String text) {
        StringBuilder plain = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            i += text.charAt(i) == '\\' && i + 1 < text.length() ? 1 : 0;
            plain.append(text.charAt(i));
        }
        return plain.toString();
    }

    /// The parts between separators, including empty ones.
    public static List<String> split(String text, IntPredicate separators) {
        return split(text, separators, Integer.MAX_VALUE);
    }

    /// The parts between separators, including empty ones.
    ///
    /// @param most the greatest number of parts; the last one is the rest of the text
    public static List<String> split(String text, IntPredicate separators, int most) {
        return parts(text, separators, most, false);
    }

    /// The parts between runs of separators, with an empty part before a run at the start and after one at the
    /// end.
    ///
    /// @param most the greatest number of parts; the last one is the rest of the text
    public static List<String> words(String text, IntPredicate separators, int most) {
        return parts(text, separators, most, true);
    }

    private static List<String> parts(String text, IntPredicate separators, int most, boolean runs) {
        List<String> parts = new ArrayList<>();
        int from = 0;
        int at = parts.size() + 1 < most ? next(text, from, separators) : text.length();
        while (at < text.length()) {
            parts.add(text.substring(from, at));
            from = runs ? end(text, at, separators) : at + 1;
            at = parts.size() + 1 < most ? next(text, from, separators) : text.length();
        }
        parts.add(text.substring(from));
        return parts;
    }
}
