package org.bloomgate.lists.format;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A regular expression of a list for DNS filters that means a name, or a name and everything below it, and
/// nothing else: `^evil\.example$`, `(^|\.)evil\.example$`, `^(.+\.)?evil\.example$`. Any other expression is
/// not an entry.
final class NameExpression {
    private static final String START_OR_DOT = "\\((?:\\?:)?(?:\\^\\|\\\\\\.|\\\\\\.\\|\\^)\\)";
    private static final String ANYTHING_BELOW = "\\^\\((?:\\?:)?(?:\\.[+*]\\\\\\.\\)[?*]|\\[\\^\\.]\\+\\\\\\.\\)\\*)";
    private static final String NAME = "((?:[A-Za-z0-9_-]+\\\\\\.)+[A-Za-z0-9-]+)";

    private static final Pattern EXPRESSION =
            Pattern.compile("(?:" + START_OR_DOT + "|" + ANYTHING_BELOW + "|\\^)" + NAME + "\\$");

    /// A name of as many bytes as DNS has, escaped, and what is around it.
    private static final int MAX_CHARS = 512;

    private NameExpression() {}

    /// The name that the entry says, or the entry itself.
    static String name(String entry) {
        if (!entry.endsWith("$") || entry.length() > MAX_CHARS) {
            return entry;
        }
        Matcher expression = EXPRESSION.matcher(entry);
        return expression.matches() ? expression.group(1).replace("\\.", ".") : entry;
    }
}
