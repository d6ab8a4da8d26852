package org.bloomgate.lists.format;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A regular expression of a list for DNS filters that means exactly a name, or a name and everything below it:
/// `^evil\.example$`, `(^|\.)evil\.example$`, `^(.+\.)?evil\.example$`. Any other expression is not an entry.
final class NameExpression {
    private static final String START_OR_DOT = "\\((?:\\?:)?(?:\\^\\|\\\\\\.|\\\\\\.\\|\\^)\\)";
    private static final String ANYTHING_BELOW = "\\^\\((?:\\?:)?(?:\\.[+*]\\\\\\.\\)[?*]|\\[\\^\\.]\\+\\\\\\.\\)\\*)";
    private static final String NAME = "((?:[A-Za-z0-9_-]+\\\\\\.)+[A-Za-z0-9-]+)";

    private static final Pattern EXPRESSION =
            Pattern.compile("(?:" + START_OR_DOT + "|" + ANYTHING_BELOW + "|\\^)" + NAME + "\\$");

    /// The longest name, escaped, with the expression around it.
    private static final int MAX_CHARS = 512;

    private NameExpression() {}

    /// The name that the entry means; the entry itself if it is not such an expression.
    static String name(String entry) {
        if (!entry.endsWith("$") || entry.length() > MAX_CHARS) {
            return entry;
        }
        Matcher expression = EXPRESSION.matcher(entry);
        return expression.matches() ? expression.group(1).replace("\\.", ".") : entry;
    }
}
