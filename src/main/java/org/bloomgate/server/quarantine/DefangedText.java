package org.bloomgate.server.quarantine;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.core.text.TextScan;

/// Text of a message in which no link can be followed by accident: `hxxp://evil[.]example/`, with marks where something
/// listed is.
///
/// @param marks in order, not overlapping
/// @param complete false when the text was cut
public record DefangedText(String text, List<Mark> marks, boolean complete) {
    static final int MAX_BYTES = 64 * 1024;

    /// Blanks, brackets and quotes, which are in no link or address.
    private static final String NOT_IN_WORD = "<>\"'()[]{}|";

    private static final List<String> SCHEMES = List.of("http:", "https:", "ftp:", "ftps:");

    /// What follows a `t` of a scheme.
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
        String plain = visible(original);
        List<Needle> needles = listed.stream().map(Needle::of).toList();
        StringBuilder out = new StringBuilder();
        List<Mark> marks = new ArrayList<>();
        int done = 0;
        int start = TextScan.end(plain, 0, DefangedText::isBetweenWords);
        long bytes = 0;
        while (start < plain.length()) {
            int end = TextScan.next(plain, start, DefangedText::isBetweenWords);
            String originalWord = plain.substring(start, end);
            String word = link(originalWord);
            String plainWord = TextForms.lowerCase(withPlainDots(originalWord));
            String gap = plain.substring(done, start);
            bytes += utf8(gap) + utf8(word);
            if (bytes > MAX_BYTES) {
                return new DefangedText(out.toString(), marks, false);
            }
            out.append(gap);
            needles.stream()
                    .filter(needle -> needle.isIn(plainWord))
                    .findFirst()
                    .ifPresent(needle -> marks.add(new Mark(
                            out.length(),
                            out.length() + word.length(),
                            needle.of().feed(),
                            needle.of().category())));
            out.append(word);
            done = end;
            start = TextScan.end(plain, end, DefangedText::isBetweenWords);
        }
        return new DefangedText(out.append(plain.substring(done)).toString(), marks, true);
    }

    private static long utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /// One word: links, domains and addresses in it are made harmless; other text stays as it is.
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

    /// Without controls, marks of direction and halves of surrogate pairs.
    private static String visible(String text) {
        StringBuilder visible = new StringBuilder(text.length());
        text.codePoints()
                .filter(c -> c >= ' ' || c == '\t' || c == '\n')
                .filter(c -> c != 0x7f && !(c >= 0x202a && c <= 0x202e) && !(c >= 0x2066 && c <= 0x2069))
                .filter(c -> Character.getType(c) != Character.SURROGATE)
                .forEach(visible::appendCodePoint);
        return visible.toString();
    }

    private static boolean isBetweenWords(int c) {
        return TextScan.isBlank(c) || NOT_IN_WORD.indexOf(c) >= 0;
    }

    /// A full stop for what separates labels in any script (UTS 46, 4.5).
    private static String withPlainDots(String word) {
        return word.replace('\u3002', '.').replace('\uff0e', '.').replace('\uff61', '.');
    }

    /// A word that programs may make a link of: with a scheme, which needs no slash in browsers, two slashes or an at
    /// sign, or with a dot between a letter or digit and two letters. A full stop of Chinese or Japanese is such
    /// a dot only between ASCII characters.
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

    /// @param texts that a word contains if it is about the identifier
    private record Needle(ListedValue of, List<String> texts) {
        static Needle of(ListedValue listed) {
            String value = TextForms.lowerCase(listed.value());
            String path = value.substring(value.indexOf("//") < 0 ? 0 : value.indexOf("//") + 2);
            String bare = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
            List<String> texts = new ArrayList<>(List.of(bare));
            String unicode = TextForms.uLabels(bare);
            if (!unicode.equals(bare)) {
                texts.add(unicode);
            }
            return new Needle(listed, texts);
        }

        /// @param word in lower case
        boolean isIn(String word) {
            return texts.stream().anyMatch(text -> !text.isEmpty() && isIn(word, text));
        }

        /// Not as the end of a longer name.
        private static boolean isIn(String word, String text) {
            int at = word.indexOf(text);
            char before = at > 0 ? word.charAt(at - 1) : ' ';
            return at >= 0 && before != '-' && !Character.isLetterOrDigit(before);
        }
    }
}
