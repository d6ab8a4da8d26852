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

/// The rules and names that other rules of a feed cancel. The cancelling rules may be anywhere in the feed, so it is
/// read twice.
///
/// @param cancelledRules rules that a `$badfilter` rule cancels
/// @param exceptedNames names, in lower case, of exceptions: neither they nor names below them are listed; `*.name`
///     stands for only the names below
record AdblockCancellations(Set<AdblockRule> cancelledRules, Set<String> exceptedNames) {
    static final AdblockCancellations NONE = new AdblockCancellations(Set.of(), Set.of());

    /// The most characters of all cancelling rules, each with [#OVERHEAD_CHARS] added. Real lists have a
    /// few hundred such rules.
    static final int MAX_CHARS = 4 << 20;

    private static final int OVERHEAD_CHARS = 128;
    private static final String BADFILTER = "badfilter";

    AdblockCancellations {
        cancelledRules = Set.copyOf(cancelledRules);
        exceptedNames = Set.copyOf(exceptedNames);
    }

    /// @throws FeedRefusedException beyond the bound, as a cancelled rule must not be listed
    static AdblockCancellations read(Feed feed, InputStream content) throws IOException {
        Set<AdblockRule> cancelledRules = new HashSet<>();
        Set<AdblockRule> exceptionRules = new HashSet<>();
        long chars = 0;
        PhysicalLines lines = new PhysicalLines(content);
        while (lines.next()) {
            String text = lines.text().strip();
            if (mayCancel(text)) {
                AdblockRule rule = AdblockRule.parse(text);
                boolean added =
                        rule.cancels() ? cancelledRules.add(rule.withoutCancellation()) : exceptionRules.add(rule);
                chars += added ? text.length() + OVERHEAD_CHARS : 0;
                if (chars > MAX_CHARS) {
                    throw new FeedRefusedException(
                            feed, "its $badfilter and @@ rules have more than " + MAX_CHARS + " characters");
                }
            }
        }
        return new AdblockCancellations(cancelledRules, collectNames(exceptionRules, cancelledRules));
    }

    private static boolean mayCancel(String text) {
        boolean isMarked = text.startsWith("@@") || TextForms.lowerCase(text).contains(BADFILTER);
        return isMarked && !AdblockLines.isComment(text) && !AdblockLines.isCosmetic(text);
    }

    private static Set<String> collectNames(Set<AdblockRule> exceptionRules, Set<AdblockRule> cancelledRules) {
        Set<String> names = new HashSet<>();
        for (AdblockRule rule : exceptionRules) {
            if (!cancelledRules.contains(rule)
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
        boolean isExcepted = exceptedNames.contains(name);
        for (int dot = name.indexOf('.'); dot >= 0 && !isExcepted; dot = name.indexOf('.', dot + 1)) {
            isExcepted = exceptedNames.contains(name.substring(dot + 1))
                    || exceptedNames.contains("*" + name.substring(dot));
        }
        return isExcepted;
    }
}
