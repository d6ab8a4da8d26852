package org.bloomgate.server.quarantine;

import static java.util.stream.Collectors.joining;

import java.net.IDN;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Text of a message in which no link can be followed by accident: `hxxp://evil[.]example/`, with marks where something
/// listed is.
///
/// @param marks in order, not overlapping
/// @param complete false when the text was cut
public record DefangedText(String text, List<Mark> marks, boolean complete) {
    static final int MAX_BYTES = 64 * 1024;

    /// What has no blank, bracket or quote in it, as links and addresses.
    private static final Pattern WORD = Pattern.compile("[^\\s<>\"'()\\[\\]{}|]+");

    private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]{0,15}:/{1,2}");

    /// What separates names in addresses and lists.
    private static final Pattern BETWEEN_NAMES = Pattern.compile("(?<=[@:,;!])");

    private static final Pattern INVISIBLE =
            Pattern.compile("[\\p{Cntrl}&&[^\\t\\n]]|[\\u202a-\\u202e\\u2066-\\u2069]");

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
            String gap = plain.substring(done, words.start());
            bytes += utf8(gap) + utf8(word);
            if (bytes > MAX_BYTES) {
                return new DefangedText(out.toString(), marks, false);
            }
            out.append(gap);
            needles.stream()
                    .filter(needle -> needle.isIn(words.group()))
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

    /// One link, domain or address; other text stays as it is.
    public static String link(String word) {
        Matcher scheme = SCHEME.matcher(word);
        int from = scheme.find() ? scheme.end() : 0;
        int end = from;
        while (end < word.length() && "/?#".indexOf(word.charAt(end)) < 0) {
            end++;
        }
        String authority = word.substring(from, end);
        String harmless = from > 0
                ? authority.replace(".", "[.]")
                : BETWEEN_NAMES.splitAsStream(authority).map(DefangedText::name).collect(joining());
        return word.substring(0, from).replaceAll("(?i)t(?=t?p)", "x") + harmless + word.substring(end);
    }

    /// A name with a dot and letters behind it, as browsers and mail programs make links of.
    private static String name(String part) {
        int dot = part.lastIndexOf('.');
        boolean host = dot > 0 && dot + 2 < part.length() && Character.isLetter(part.charAt(dot + 1));
        return host ? part.replace(".", "[.]") : part;
    }

    /// @param texts that a word contains if it is about the identifier
    private record Needle(ListedValue of, List<String> texts) {
        static Needle of(ListedValue listed) {
            String value = listed.value().toLowerCase(Locale.ROOT);
            String bare = value.substring(value.indexOf("//") < 0 ? 0 : value.indexOf("//") + 2)
                    .replaceFirst("/$", "");
            List<String> texts = new ArrayList<>(List.of(bare));
            String unicode = IDN.toUnicode(bare, IDN.ALLOW_UNASSIGNED);
            if (!unicode.equals(bare)) {
                texts.add(unicode);
            }
            return new Needle(listed, texts);
        }

        boolean isIn(String word) {
            String lower = word.toLowerCase(Locale.ROOT);
            return texts.stream().anyMatch(text -> !text.isEmpty() && isIn(lower, text));
        }

        /// Not as the end of a longer name.
        private static boolean isIn(String word, String text) {
            int at = word.indexOf(text);
            char before = at > 0 ? word.charAt(at - 1) : ' ';
            return at >= 0 && before != '-' && !Character.isLetterOrDigit(before);
        }
    }
}
