package org.bloomgate.content.links;

/// Blanks and line ends inside what has none: URLs and names that a header field or a text was folded across.
public final class Blanks {
    private static final String ALL = " \t\n\u000b\f\r";

    private Blanks() {}

    /// The text itself when it holds none.
    public static String without(String text) {
        int first = 0;
        while (first < text.length() && ALL.indexOf(text.charAt(first)) < 0) {
            first++;
        }
        if (first == text.length()) {
            return text;
        }
        StringBuilder kept = new StringBuilder(text.length()).append(text, 0, first);
        for (int i = first; i < text.length(); i++) {
            if (ALL.indexOf(text.charAt(i)) < 0) {
                kept.append(text.charAt(i));
            }
        }
        return kept.toString();
    }
}
