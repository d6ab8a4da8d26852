package org.bloomgate.lists.format;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.core.text.TextScan;

/// A network rule of an ad blocker: its pattern, and options after the last `$` that restrict it.
///
/// @param pattern including the `@@` of an exception and the anchors
/// @param options in their usual spelling, sorted, each with its value
record AdblockRule(String pattern, List<String> options) {
    /// Has no effect on rules that block pages.
    private static final String THIRD_PARTY = "third-party";

    private static final Map<String, String> ALIASES = Map.of(
            "doc", "document", "3p", THIRD_PARTY, "frame", "subdocument", "css", "stylesheet", "xhr", "xmlhttprequest");

    /// Options that block the page itself: the name is bad, and not only content embedded from it.
    private static final Set<String> PAGES = Set.of("all", "document", "popup");

    /// Options without effect on the blocked requests. Here, paths are always case-sensitive.
    private static final Set<String> NEUTRAL = Set.of("important", "match-case");

    /// The reason why a page is blocked, a text that may contain commas.
    private static final String REASON = "reason=";

    /// Options that block requests other than those for a page.
    private static final Set<String> TYPES = Set.of(
            "font",
            "image",
            "inline-font",
            "inline-script",
            "media",
            "object",
            "other",
            "ping",
            "popunder",
            "script",
            "stylesheet",
            "subdocument",
            "websocket",
            "xmlhttprequest");

    private static final String CANCELS = "badfilter";

    AdblockRule {
        options = List.copyOf(options);
    }

    static AdblockRule parse(String rule) {
        int mark = rule.lastIndexOf('$');
        if (mark < 0) {
            return new AdblockRule(rule, List.of());
        }
        Set<String> options = new TreeSet<>();
        for (String option : TextScan.split(removeReasons(rule.substring(mark + 1)), c -> c == ',')) {
            String name = TextForms.lowerCase(option.strip());
            // underscores fill a gap (uBlock Origin) and mean nothing
            if (name.isEmpty() || TextScan.end(name, 0, c -> c == '_') < name.length()) {
                options.add(ALIASES.getOrDefault(name, name));
            }
        }
        return new AdblockRule(rule.substring(0, mark), List.copyOf(options));
    }

    private static String removeReasons(String options) {
        StringBuilder result = new StringBuilder();
        for (int from = 0, comma = 0; comma < options.length(); from = comma + 1) {
            int name = TextScan.end(options, from, TextScan::isBlank);
            boolean reason = TextScan.hasWord(options, name, REASON);
            int rest = reason ? findReasonEnd(options, name + REASON.length()) : from;
            comma = TextScan.next(options, rest, c -> c == ',');
            result.append(reason ? "_" : "").append(options, rest, Math.min(comma + 1, options.length()));
        }
        return result.toString();
    }

    private static int findReasonEnd(String options, int from) {
        boolean quoted = options.startsWith("'", from) || options.startsWith("\"", from);
        int close = quoted ? options.indexOf(options.charAt(from), from + 1) : -1;
        return close < 0 ? TextScan.next(options, from, c -> c == ',') : close + 1;
    }

    /// Whether the rule cancels another one, [#withoutCancellation()].
    boolean cancels() {
        return options.contains(CANCELS);
    }

    /// The rule with this pattern and the other options, whatever their order and spelling.
    AdblockRule withoutCancellation() {
        return new AdblockRule(
                pattern,
                options.stream().filter(option -> !option.equals(CANCELS)).toList());
    }

    /// The option that restricts the rule, so that the matched pages are not bad in general; empty if there is
    /// none.
    Optional<String> findNarrowingOption() {
        boolean blocksPage = options.stream().anyMatch(PAGES::contains);
        return options.stream()
                .filter(option -> !PAGES.contains(option))
                .filter(option -> !NEUTRAL.contains(option))
                .filter(option -> !blocksPage || !(option.equals(THIRD_PARTY) || TYPES.contains(option)))
                .findFirst();
    }
}
