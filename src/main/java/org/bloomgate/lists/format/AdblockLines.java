package org.bloomgate.lists.format;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.bloomgate.core.key.FeedKind;
import org.bloomgate.lists.fetch.Excerpt;

/// Network rules of ad blockers. `||name^` means a name and everything below, `||name/path` that page and the
/// content of its directory, also with options that only state which requests for a page are blocked.
/// Exceptions, restricting options, patterns and cosmetic rules mean something else and are never guessed.
///
/// @param kind of the feed: a page that lists nothing is one rejected value, with its folder or without
/// @param cancelled rules that some `$badfilter` of the feed takes back
record AdblockLines(FeedKind kind, Set<AdblockRule> cancelled) implements LineFormat {
    private static final String SCHEME = "://";

    /// Characters that a pattern may contain and a list of names does not.
    private static final Pattern PATTERN = Pattern.compile("[/|^*$]");

    @Override
    public ParsedLine parse(String line) {
        String text = line.strip();
        if (isComment(text)) {
            return ParsedLine.COMMENT;
        }
        if (isCosmetic(text)) {
            return ParsedLine.unsupported("a cosmetic rule");
        }
        AdblockRule rule = AdblockRule.parse(text);
        if (rule.cancels()) {
            return ParsedLine.COMMENT;
        }
        if (text.startsWith("@@")) {
            return ParsedLine.unsupported("an exception rule");
        }
        if (!text.startsWith("||")) {
            return PATTERN.matcher(text).find()
                    ? ParsedLine.unsupported("a rule that does not begin with ||")
                    : new ParsedLine.Unreadable("not a rule: ||name^");
        }
        if (!cancelled.isEmpty() && cancelled.contains(rule)) {
            return new ParsedLine.Unreadable("cancelled by a $badfilter rule");
        }
        return rule.narrowing()
                .map(option -> ParsedLine.unsupported("a rule narrowed by the option '" + name(option) + "'"))
                .orElseGet(() -> matched(rule.pattern().substring(2)));
    }

    /// `||name^` alone.
    @Override
    public int plainFrom(byte[] line, int length) {
        boolean whole = length > 3 && line[0] == '|' && line[1] == '|' && line[length - 1] == '^';
        return whole && cancelled.isEmpty() ? 2 : -1;
    }

    @Override
    public int plainTail() {
        return 1;
    }

    static boolean isComment(String text) {
        return text.isEmpty()
                || text.charAt(0) == '!'
                || (text.startsWith("[Ad") && text.endsWith("]"))
                || text.equals("#")
                || text.startsWith("# ");
    }

    static boolean isCosmetic(String text) {
        return text.contains("##") || text.contains("#@#") || text.contains("#?#") || text.contains("#$#");
    }

    private static String name(String option) {
        int value = option.indexOf('=');
        return Excerpt.of(value < 0 ? option : option.substring(0, value));
    }

    /// @param pattern behind `||`, up to the options
    private ParsedLine matched(String pattern) {
        boolean ended = pattern.endsWith("|");
        String anchored = ended ? pattern.substring(0, pattern.length() - 1) : pattern;
        boolean separated = anchored.endsWith("^");
        String value = separated ? anchored.substring(0, anchored.length() - 1) : anchored;
        int path = value.indexOf('/');
        if (value.indexOf('^') >= 0 || value.indexOf('|') >= 0 || value.contains(SCHEME)) {
            return ParsedLine.unsupported("a pattern within a rule");
        }
        if (path < 0) {
            return separated ? ParsedLine.value(value) : ParsedLine.unsupported("a rule that does not end with ^");
        }
        // A path is a beginning in any case, so a * at its end says nothing.
        String page = value.endsWith("/*") ? value.substring(0, value.length() - 1) : value;
        if (page.indexOf('*', path) >= 0) {
            return ParsedLine.unsupported("a wildcard within a path");
        }
        boolean folder = !ended && !page.endsWith("/") && page.indexOf('?') < 0 && kind != FeedKind.DOMAIN;
        return folder ? new ParsedLine.Values(List.of(page, page + "/"), 0) : ParsedLine.value(page);
    }
}
