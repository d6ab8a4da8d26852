package org.bloomgate.lists.format;

import java.util.List;
import java.util.Optional;
import org.bloomgate.core.key.FeedKind;
import org.bloomgate.core.text.TextScan;
import org.bloomgate.core.url.Host;
import org.bloomgate.lists.fetch.Excerpt;

/// Network rules of ad blockers. `||name^` means a name and everything below, `||name/path` a page and the
/// content of its directory, also with options that only select the blocked requests for a page. `||*.name^` means
/// only the names below. A rule that begins with `@@` is an exception, however its host is anchored. A bare name is a
/// rule as well: lists for DNS filters contain both. Rules with restricting
/// options, patterns and cosmetic rules have another meaning and are rejected.
///
/// @param kind of the feed
/// @param cancellations by other rules of the feed
record AdblockLines(FeedKind kind, AdblockCancellations cancellations) implements LineFormat {
    private static final String EXCEPTION = "@@";
    private static final String SCHEME = "://";

    /// Characters that a pattern may contain and a list of names does not.
    private static final String PATTERN_CHARS = "/|^*$";

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
        if (cancellations.cancelledRules().contains(rule)) {
            return new ParsedLine.Unreadable("cancelled by a $badfilter rule");
        }
        if (text.startsWith(EXCEPTION)) {
            return parseException(rule);
        }
        if (TextScan.next(text, 0, c -> PATTERN_CHARS.indexOf(c) >= 0) < text.length()) {
            return applyCancellations(parseBlocking(rule, kind));
        }
        return text.indexOf('.') > 0 && Host.parse(text).isPresent()
                ? applyCancellations(ParsedLine.value(text))
                : new ParsedLine.Unreadable("not a rule: ||name^");
    }

    private ParsedLine applyCancellations(ParsedLine parsed) {
        return parsed instanceof ParsedLine.Values(List<String> values, long _)
                        && cancellations.excepts(values.getFirst())
                ? ParsedLine.unsupported("a rule that an exception takes back")
                : parsed;
    }

    /// An exception, or why no exception can express the rule.
    static ParsedLine parseException(AdblockRule rule) {
        String pattern = rule.pattern().substring(EXCEPTION.length());
        Optional<String> host = rule.findNarrowingOption().isEmpty() ? findHost(pattern) : Optional.empty();
        if (host.isPresent()) {
            return ParsedLine.exception(host.get());
        }
        return parseBlocking(new AdblockRule(pattern, rule.options()), FeedKind.AUTO)
                        instanceof ParsedLine.Values(List<String> values, long _)
                ? new ParsedLine.Exceptions(values)
                : ParsedLine.unsupported("an exception for some requests or pages");
    }

    /// The host of a pattern that matches all its pages, whatever anchors it has: `||name^`, `|name^|`, `name`,
    /// `|https://name/`. A pattern that begins with a dot matches only names below.
    private static Optional<String> findHost(String pattern) {
        String text = pattern.substring(Math.min(2, TextScan.end(pattern, 0, c -> c == '|')));
        int scheme = text.startsWith("http://") || text.startsWith("https://") ? text.indexOf(SCHEME) : -1;
        boolean ended = text.endsWith("|");
        int end = text.length() - (ended ? 1 : 0);
        end -= end > 0 && (text.charAt(end - 1) == '^' || (scheme > 0 && text.charAt(end - 1) == '/')) ? 1 : 0;
        int from = scheme < 0 ? 0 : scheme + SCHEME.length();
        // With a scheme, the end of the pattern is that of the address: only the first page matches.
        if (end <= from || (scheme > 0 && ended)) {
            return Optional.empty();
        }
        String name = (text.charAt(from) == '.' ? "*" : "") + text.substring(from, end);
        String host = name.startsWith("*.") ? name.substring(2) : name;
        boolean isHost = host.indexOf('.') > 0
                && TextScan.next(host, 0, c -> PATTERN_CHARS.indexOf(c) >= 0) == host.length()
                && Host.parse(host).isPresent();
        return isHost ? Optional.of(name) : Optional.empty();
    }

    private static ParsedLine parseBlocking(AdblockRule rule, FeedKind kind) {
        return rule.pattern().startsWith("||")
                ? rule.findNarrowingOption()
                        .map(option -> ParsedLine.unsupported(
                                "a rule narrowed by the option '" + describeOption(option) + "'"))
                        .orElseGet(() -> parsePattern(rule.pattern().substring(2), kind))
                : ParsedLine.unsupported("a rule that does not begin with ||");
    }

    /// `||name^` alone.
    @Override
    public int findPlainValue(byte[] line, int length) {
        boolean isPlainRule = length > 3 && line[0] == '|' && line[1] == '|' && line[length - 1] == '^';
        return isPlainRule && cancellations.isEmpty() ? 2 : -1;
    }

    @Override
    public int plainSuffixBytes() {
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

    private static String describeOption(String option) {
        int value = option.indexOf('=');
        return Excerpt.of(value < 0 ? option : option.substring(0, value));
    }

    /// @param pattern after `||`, up to the options
    private static ParsedLine parsePattern(String pattern, FeedKind kind) {
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
        // A path is a prefix anyway, so a * at its end has no effect.
        String page = value.endsWith("/*") ? value.substring(0, value.length() - 1) : value;
        if (page.indexOf('*', path) >= 0) {
            return ParsedLine.unsupported("a wildcard within a path");
        }
        boolean isFolder = !ended && !page.endsWith("/") && page.indexOf('?') < 0;
        if (kind == FeedKind.DOMAIN) {
            return ParsedLine.unsupported("a page in a list of domains, which kind auto would list");
        }
        return isFolder ? new ParsedLine.Values(List.of(page, page + "/"), 0) : ParsedLine.value(page);
    }
}
