package org.bloomgate.lists.format;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedRefusedException;
import org.bloomgate.lists.fetch.PhysicalLines;

/// The rules that a feed takes back with `$badfilter`, wherever in it they stand: they are known only once the feed was
/// read to its end, so it is read twice.
final class AdblockCancellations {
    /// The size of all cancelled rules together, each counted with [#OVERHEAD_CHARS] in addition. Real lists
    /// have a few hundred.
    static final int MAX_CHARS = 4 << 20;

    private static final int OVERHEAD_CHARS = 128;
    private static final String MARK = "badfilter";

    private AdblockCancellations() {}

    /// @throws FeedRefusedException beyond the bound: what a list takes back is not to be listed
    static Set<AdblockRule> read(Feed feed, InputStream content) throws IOException {
        Set<AdblockRule> cancelled = new HashSet<>();
        long chars = 0;
        PhysicalLines lines = new PhysicalLines(content);
        while (lines.next()) {
            String text = lines.text().strip();
            if (mayCancel(text)) {
                AdblockRule rule = AdblockRule.parse(text);
                if (rule.cancels() && cancelled.add(rule.cancelled())) {
                    chars += text.length() + OVERHEAD_CHARS;
                }
                if (chars > MAX_CHARS) {
                    throw new FeedRefusedException(
                            feed, "takes back rules of more than " + MAX_CHARS + " characters with $badfilter");
                }
            }
        }
        return cancelled;
    }

    private static boolean mayCancel(String text) {
        return text.toLowerCase(Locale.ROOT).contains(MARK)
                && !AdblockLines.isComment(text)
                && !AdblockLines.isCosmetic(text);
    }
}
