package org.bloomgate.lists.format;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedRefusedException;
import org.bloomgate.lists.fetch.PhysicalLines;

/// The rules and names that other rules of a feed cancel. These may be anywhere in it, so the feed is read
/// twice.
///
/// @param cancelledRules rules that a `$badfilter` rule cancels
/// @param exceptedNames names, in lower case, of `@@||name^`: neither they nor names below them are listed
record AdblockCancellations(Set<AdblockRule> cancelledRules, Set<String> exceptedNames) {
    static final AdblockCancellations NONE = new AdblockCancellations(Set.of(), Set.of());

    /// The bound for the characters of all these rules, each with [#OVERHEAD_CHARS] added. Real lists have a
    /// few hundred such rules.
    static final int MAX_CHARS = 4 << 20;

    private static final int OVERHEAD_CHARS = 128;
    private static final String MARK = "badfilter";

    AdblockCancellations {
        cancelledRules = Set.copyOf(cancelledRules);
        exceptedNames = Set.copyOf(exceptedNames);
    }

    /// @throws FeedRefusedException beyond the bound, as a cancelled rule must not be listed
    static AdblockCancellations read(Feed feed, InputStream content) throws IOException {
        Set<AdblockRule> cancelled = new HashSet<>();
        Set<AdblockRule> exceptions = new HashSet<>();
        long chars = 0;
        PhysicalLines lines = new PhysicalLines(content);
        while (lines.next()) {
            String text = lines.text().strip();
            if (mayCancel(text)) {
                AdblockRule rule = AdblockRule.parse(text);
                boolean added = rule.cancels() ? cancelled.add(rule.withoutCancellation()) : exceptions.add(rule);
                chars += added ? text.length() + OVERHEAD_CHARS : 0;
                if (chars > MAX_CHARS) {
                    throw new FeedRefusedException(
                            feed,
                            "takes back rules of more than " + MAX_CHARS + " characters with $badfilter and with @@");
                }
            }
        }
        return new AdblockCancellations(cancelled, collectNames(exceptions, cancelled));
    }

    private static boolean mayCancel(String text) {
        boolean isMarked = text.startsWith("@@") || TextForms.lowerCase(text).contains(MARK);
        return isMarked && !AdblockLines.isComment(text) && !AdblockLines.isCosmetic(text);
    }

    private static Set<String> collectNames(Set<AdblockRule> exceptions, Set<AdblockRule> cancelled) {
        Set<String> names = new HashSet<>();
        for (AdblockRule rule : exceptions) {
            if (!cancelled.contains(rule)
                    && AdblockLines.parseException(rule) instanceof ParsedLine.Exceptions(List<String> values)) {
                values.stream()
                        .filter(value -> value.indexOf('/') < 0)
                        .map(TextForms::lowerCase)
                        .forEach(names::add);
            }
        }
        return names;
    }

    boolean isEmpty() {
        return cancelledRules.isEmpty() && exceptedNames.isEmpty();
    }

    /// Whether the host of a value, or a name above it, is excepted.
    boolean excepts(String value) {
        if (exceptedNames.isEmpty()) {
            return false;
        }
        int end = value.indexOf('/');
        String name = TextForms.lowerCase(end < 0 ? value : value.substring(0, end));
        boolean found = exceptedNames.contains(name);
        for (int dot = name.indexOf('.'); dot >= 0 && !found; dot = name.indexOf('.', dot + 1)) {
            found = exceptedNames.contains(name.substring(dot + 1));
        }
        return found;
    }
}
