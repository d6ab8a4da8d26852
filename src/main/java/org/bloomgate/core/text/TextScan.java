package org.bloomgate.core.text;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/// Takes text apart by its characters, each of which is looked at a constant number of times. A regular expression
/// may try each place of a long text again from the places before it, so that 20 KB take hours.
///
/// Characters are those of UTF-16; surrogates belong to no class here.
public final class TextScan {
    private TextScan() {}

    /// A blank or line end of ASCII, as `\s` of a regular expression.
    public static boolean isBlank(int c) {
        return c == ' ' || (c >= '\t' && c <= '\r');
    }

    public static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    public static boolean isHexDigit(int c) {
        return isDigit(c) || (lower(c) >= 'a' && lower(c) <= 'f');
    }

    /// A letter of ASCII.
    public static boolean isLetter(int c) {
        return lower(c) >= 'a' && lower(c) <= 'z';
    }

    /// Printable ASCII, the blank too.
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

    /// The end of the run of such characters that begins at a position, which is its start when there is none.
    public static int end(CharSequence text, int from, IntPredicate members) {
        int end = from;
        while (end < text.length() && members.test(text.charAt(end))) {
            end++;
        }
        return end;
    }

    /// The first such character from a position on; the length of the text when there is none.
    public static int next(CharSequence text, int from, IntPredicate members) {
        return end(text, from, members.negate());
    }

    /// Whether all characters are such, and the text has from `least` to `most` of them.
    public static boolean consistsOf(CharSequence text, IntPredicate members, int least, int most) {
        return text.length() >= least && text.length() <= most && end(text, 0, members) == text.length();
    }

    /// Whether the text has a word at a position, its letters of ASCII in any case.
    ///
    /// @param word in lower case
    public static boolean hasWord(CharSequence text, int at, String word) {
        int i = 0;
        while (i < word.length() && at + i < text.length() && lower(text.charAt(at + i)) == word.charAt(i)) {
            i++;
        }
        return i == word.length();
    }

    /// The text itself when it has no such character.
    public static String without(String text, IntPredicate dropped) {
        int first = next(text, 0, dropped);
        if (first == text.length()) {
            return text;
        }
        StringBuilder kept = new StringBuilder(text.length()).append(text, 0, first);
        for (int i = first; i < text.length(); i++) {
            if (!dropped.test(text.charAt(i))) {
                kept.append(text.charAt(i));
            }
        }
        return kept.toString();
    }

    /// Text of quotes without the backslash before each quoted character (RFC 5322 3.2.4).
    public static String unescaped(String text) {
        StringBuilder plain = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            i += text.charAt(i) == '\\' && i + 1 < text.length() ? 1 : 0;
            plain.append(text.charAt(i));
        }
        return plain.toString();
    }

    /// The parts between separators, empty ones too.
    public static List<String> split(String text, IntPredicate separators) {
        return split(text, separators, Integer.MAX_VALUE);
    }

    /// @param most parts, the last of which is all that is left
    public static List<String> split(String text, IntPredicate separators, int most) {
        return parts(text, separators, most, false);
    }

    /// The parts between runs of separators: an empty one before a run that begins the text, and behind one that
    /// ends it.
    ///
    /// @param most parts, the last of which is all that is left
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
