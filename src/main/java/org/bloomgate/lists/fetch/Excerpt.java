package org.bloomgate.lists.fetch;

/// The beginning of a line of a feed, made safe for a terminal and a log.
public final class Excerpt {
    private static final int MAX_CHARACTERS = 80;

    private Excerpt() {}

    /// An excerpt of a line of this feed; for a secret only its length.
    public static String of(Feed feed, String text) {
        return feed.kind().isSecret() ? text.length() + " characters" : of(text);
    }

    public static String of(String text) {
        StringBuilder out = new StringBuilder();
        text.codePoints().limit(MAX_CHARACTERS).forEach(c -> append(out, c));
        return text.codePointCount(0, text.length()) > MAX_CHARACTERS
                ? out.append("...").toString()
                : out.toString();
    }

    private static void append(StringBuilder out, int c) {
        if (isPrintable(c)) {
            out.appendCodePoint(c);
        } else {
            out.append(String.format("\\u%04x", c));
        }
    }

    /// Control characters, marks that change the direction of writing, and unpaired surrogates are not
    /// printable.
    private static boolean isPrintable(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.UNASSIGNED,
                    Character.PRIVATE_USE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }
}
