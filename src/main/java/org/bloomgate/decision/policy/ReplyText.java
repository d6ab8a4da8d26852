package org.bloomgate.decision.policy;

import org.bloomgate.core.text.TextScan;

/// The text of the reply to a refused message, for people. `{token}` and `{category}` are filled in.
///
/// @param template one line of printable ASCII
public record ReplyText(String template) {
    /// The longest text, before and after filling in: with code and status it fits one reply line (RFC 5321
    /// 4.5.3.1.5).
    static final int MAX_BYTES = 400;

    private static final String TOKEN = "{token}";
    private static final String CATEGORY = "{category}";

    /// Where no feed's category decided.
    private static final String NO_CATEGORY = "none";

    public static final ReplyText SHIPPED = new ReplyText("Message refused by policy, token {token}");

    public ReplyText {
        if (!TextScan.consistsOf(template, TextScan::isPrintable, 1, MAX_BYTES)
                || !template.strip().equals(template)) {
            throw new IllegalArgumentException("write one line of 1 to " + MAX_BYTES
                    + " printable ASCII characters without a blank at either end");
        }
        String rest = template.replace(TOKEN, "").replace(CATEGORY, "");
        if (namesVariable(rest)) {
            throw new IllegalArgumentException("only {token} and {category} are filled in");
        }
    }

    /// @throws IllegalArgumentException when it cannot be a line of a reply
    public static ReplyText of(String template) {
        return new ReplyText(template);
    }

    /// @param category may be in any script; what is not printable ASCII becomes `?`. Empty for none
    public String filled(String token, String category) {
        String word = category.isEmpty() ? NO_CATEGORY : TextScan.printable(category);
        String line = template.replace(CATEGORY, word).replace(TOKEN, token);
        return line.substring(0, Math.min(line.length(), MAX_BYTES)).strip();
    }

    @Override
    public String toString() {
        return template;
    }

    private static boolean namesVariable(String text) {
        int open = text.indexOf('{');
        while (open >= 0 && !text.startsWith("}", TextScan.end(text, open + 1, TextScan::isLetter))) {
            open = text.indexOf('{', open + 1);
        }
        return open >= 0;
    }
}
