package org.bloomgate.server.quarantine;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.core.text.TextScan;

/// Text of a message in which no link can be followed by accident: `hxxp://evil[.]example/`, with marks at
/// listed identifiers.
///
/// @param marks in order, not overlapping
/// @param complete false if the text was cut
public record DefangedText(String text, List<Mark> marks, boolean complete) {
    static final int MAX_BYTES = 64 * 1024;

    /// Brackets and quotes, which occur in no link or address.
    private static final String NOT_IN_WORD = "<>\"'()[]{}|";

    private static final List<String> SCHEMES = List.of("http:", "https:", "ftp:", "ftps:");

    /// The characters after a `t` in a scheme.
    private static final List<String> AFTER_T = List.of("tps:", "tp:", "ps:", "p:");

    private static final int LETTERS = 1 << Character.UPPERCASE_LETTER
            | 1 << Character.LOWERCASE_LETTER
            | 1 << Character.TITLECASE_LETTER
            | 1 << Character.MODIFIER_LETTER
            | 1 << Character.OTHER_LETTER
            | 1 << Character.FORMAT;
    private static final int MARKS =
            1 << Character.NON_SPACING_MARK | 1 << Character.COMBINING_SPACING_MARK | 1 << Character.ENCLOSING_MARK;
    private static final int NUMBERS =
            1 << Character.DECIMAL_DIGIT_NUMBER | 1 << Character.LETTER_NUMBER | 1 << Character.OTHER_NUMBER;

    public DefangedText {
        marks = List.copyOf(marks);
    }

    /// A listed identifier.
    ///
    /// @param value canonical text
    public record ListedValue(String value, String feed, String category) {}

    /// A piece of the text that contains a listed identifier.
    ///
    /// @param start offset in UTF-16 units, `end` likewise
    public record Mark(int start, int end, String feed, String category) {}

    public static DefangedText of(String original, List<ListedValue> listed) {
        String plain = withoutInvisible(original);
        List<ListedText> listedTexts = listed.stream().map(ListedText::of).toList();
        StringBuilder out = new StringBuilder();
        List<Mark> marks = new ArrayList<>();
        int copied = 0;
        int start = TextScan.end(plain, 0, DefangedText::isBetweenWords);
        long bytes = 0;
        while (start < plain.length()) {
            int end = TextScan.next(plain, start, DefangedText::isBetweenWords);
            String originalWord = plain.substring(start, end);
            String word = link(originalWord);
            String plainWord = TextForms.lowerCase(withPlainDots(originalWord));
            String gap = plain.substring(copied, start);
            bytes += utf8(gap) + utf8(word);
            if (bytes > MAX_BYTES) {
                return new DefangedText(out.toString(), marks, false);
            }
            out.append(gap);
            listedTexts.stream()
                    .filter(listedText -> listedText.isIn(plainWord))
                    .findFirst()
                    .ifPresent(listedText -> marks.add(new Mark(
                            out.length(),
                            out.length() + word.length(),
                            listedText.of().feed(),
                            listedText.of().category())));
            out.append(word);
            copied = end;
            start = TextScan.end(plain, end, DefangedText::isBetweenWords);
        }
        return new DefangedText(out.append(plain.substring(copied)).toString(), marks, true);
    }

    private static long utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /// Defangs one word: a link, domain or address. Other words are returned unchanged.
    public static String link(String word) {
        if (!isLink(word)) {
            return word;
        }
        int end = word.length();
        while (end > 0 && !Character.isLetterOrDigit(word.codePointBefore(end))) {
            end--;
        }
        String dots = withPlainDots(word.substring(0, end)).replace(".", "[.]") + word.substring(end);
        StringBuilder harmless = new StringBuilder(dots);
        for (int i = 0; i < dots.length(); i++) {
            if (TextScan.hasWord(dots, i, "t") && hasAny(dots, i + 1, AFTER_T)) {
                harmless.setCharAt(i, 'x');
            }
        }
        return harmless.toString();
    }

    /// The text without control characters, directional marks and unpaired surrogates.
    private static String withoutInvisible(String text) {
        StringBuilder withoutInvisible = new StringBuilder(text.length());
        text.codePoints()
                .filter(c -> c >= ' ' || c == '\t' || c == '\n')
                .filter(c -> c != 0x7f && !(c >= 0x202a && c <= 0x202e) && !(c >= 0x2066 && c <= 0x2069))
                .filter(c -> Character.getType(c) != Character.SURROGATE)
                .forEach(withoutInvisible::appendCodePoint);
        return withoutInvisible.toString();
    }

    private static boolean isBetweenWords(int c) {
        return TextScan.isBlank(c) || NOT_IN_WORD.indexOf(c) >= 0;
    }

    /// The word with a full stop for each label separator of any script (UTS 46, 4.5).
    private static String withPlainDots(String word) {
        return word.replace('\u3002', '.').replace('\uff0e', '.').replace('\uff61', '.');
    }

    /// True if a program may turn the word into a link: it has a scheme (browsers need no slash after it), two
    /// slashes, an at sign, or a dot between a letter or digit and two letters. A Chinese or Japanese full stop
    /// counts as a dot only between ASCII characters.
    private static boolean isLink(String word) {
        boolean link =
                word.indexOf('@') >= 0 || Stream.of("//", "\\\\", ":/", ":\\").anyMatch(word::contains);
        for (int i = 0; i < word.length() && !link; i++) {
            link = switch (word.charAt(i)) {
                case '.', '\uff0e' -> isDot(word, i);
                case '\u3002', '\uff61' -> isDotOfAscii(word, i);
                default -> hasAny(word, i, SCHEMES);
            };
        }
        return link;
    }

    private static boolean isDot(String word, int at) {
        int next = at + 1 < word.length() ? word.codePointAt(at + 1) : ' ';
        int second = at + 1 + Character.charCount(next);
        return at > 0
                && is(word.codePointBefore(at), LETTERS | MARKS | NUMBERS)
                && is(next, LETTERS)
                && second < word.length()
                && is(word.codePointAt(second), LETTERS | MARKS);
    }

    private static boolean isDotOfAscii(String word, int at) {
        return at > 0
                && at + 2 < word.length()
                && (TextScan.isLetter(word.charAt(at - 1)) || TextScan.isDigit(word.charAt(at - 1)))
                && TextScan.isLetter(word.charAt(at + 1))
                && TextScan.isLetter(word.charAt(at + 2));
    }

    private static boolean is(int c, int types) {
        return (types >> Character.getType(c) & 1) != 0;
    }

    private static boolean hasAny(String text, int at, List<String> words) {
        return words.stream().anyMatch(word -> TextScan.hasWord(text, at, word));
    }

    /// @param texts one of which a word with the listed identifier contains
    private record ListedText(ListedValue of, List<String> texts) {
        static ListedText of(ListedValue listed) {
            String value = TextForms.lowerCase(listed.value());
            String path = value.substring(value.indexOf("//") < 0 ? 0 : value.indexOf("//") + 2);
            String withoutSlash = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
            List<String> texts = new ArrayList<>(List.of(withoutSlash));
            String unicode = TextForms.uLabels(withoutSlash);
            if (!unicode.equals(withoutSlash)) {
                texts.add(unicode);
            }
            return new ListedText(listed, texts);
        }

        /// @param word in lower case
        boolean isIn(String word) {
            return texts.stream().anyMatch(text -> !text.isEmpty() && isIn(word, text));
        }

        /// True if the word contains the text, but not as the end of a longer name.
        private static boolean isIn(String word, String text) {
            int at = word.indexOf(text);
            char before = at > 0 ? word.charAt(at - 1) : ' ';
            return at >= 0 && before != '-' && !Character.isLetterOrDigit(before);
        }
    }
}
