package org.bloomgate.server.quarantine;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bloomgate.core.text.TextForms;

/// Text of a message in which no link can be followed by accident: `hxxp://evil[.]example/`, with marks where something
/// listed is.
///
/// @param marks in order, not overlapping
/// @param complete false when the text was cut
public record DefangedText(String text, List<Mark> marks, boolean complete) {
    static final int MAX_BYTES = 64 * 1024;

    /// What has no blank, bracket or quote in it, as links and addresses.
    private static final Pattern WORD = Pattern.compile("[^\\s<>\"'()\\[\\]{}|]+");

    /// A `t` of `http:`, `https:`, `ftp:`: browsers need no slash behind them.
    private static final Pattern SCHEME = Pattern.compile("(?i)t(?=t?ps?:)");

    /// What separates labels, in every script (UTS 46, 4.5).
    private static final Pattern DOT = Pattern.compile("[.\\u3002\\uff0e\\uff61]");

    /// A word that programs may make a link of: with a scheme, two slashes or an at sign, or with a
    /// dot between a letter or digit and two letters. A full stop of Chinese or Japanese is such a
    /// dot only between ASCII characters.
    private static final Pattern LINK = Pattern.compile("(?i):[/\\\\]|//|\\\\\\\\|@|(?:ht|f)tps?:"
            + "|[\\p{L}\\p{N}\\p{M}\\p{Cf}][.\\uff0e][\\p{L}\\p{Cf}][\\p{L}\\p{M}\\p{Cf}]"
            + "|[a-z0-9][\\u3002\\uff61][a-z]{2}");

    private static final Pattern INVISIBLE =
            Pattern.compile("[\\p{Cntrl}&&[^\\t\\n]]|[\\u202a-\\u202e\\u2066-\\u2069\\p{Cs}]");

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
        String plain = INVISIBLE.matcher(original).replaceAll("");
        List<Needle> needles = listed.stream().map(Needle::of).toList();
        StringBuilder out = new StringBuilder();
        List<Mark> marks = new ArrayList<>();
        Matcher words = WORD.matcher(plain);
        int done = 0;
        long bytes = 0;
        while (words.find()) {
            String word = link(words.group());
            String plainWord = TextForms.lowerCase(DOT.matcher(words.group()).replaceAll("."));
            String gap = plain.substring(done, words.start());
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
            done = words.end();
        }
        return new DefangedText(out.append(plain.substring(done)).toString(), marks, true);
    }

    private static long utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /// One word: links, domains and addresses in it are made harmless; other text stays as it is.
    public static String link(String word) {
        if (!LINK.matcher(word).find()) {
            return word;
        }
        int end = word.length();
        while (end > 0 && !Character.isLetterOrDigit(word.codePointBefore(end))) {
            end--;
        }
        String harmless = DOT.matcher(word.substring(0, end)).replaceAll("[.]");
        return SCHEME.matcher(harmless + word.substring(end)).replaceAll("x");
    }

    /// @param texts that a word contains if it is about the identifier
    private record Needle(ListedValue of, List<String> texts) {
        static Needle of(ListedValue listed) {
            String value = TextForms.lowerCase(listed.value());
            String bare = value.substring(value.indexOf("//") < 0 ? 0 : value.indexOf("//") + 2)
                    .replaceFirst("/$", "");
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
