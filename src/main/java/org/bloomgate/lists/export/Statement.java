package org.bloomgate.lists.export;

import java.util.Optional;
import org.bloomgate.core.key.Match;

/// What one source says of names or networks: they are listed, or a listing of them must not count.
sealed interface Statement {
    Match match();

    /// @param own true for entries of this machine's operators, which exceptions of a publisher do not override
    record Listed(String feed, String category, Match match, RpzAction action, boolean own) implements Statement {
        /// The same of the name alone.
        Listed alone() {
            return new Listed(feed, category, Match.EXACT, action, own);
        }
    }

    /// @param feed whose listings must not count; empty for all
    /// @param category likewise
    /// @param shared true if it is a publisher's
    /// @param ofFeed true if the feed itself says so; then a narrower listing of the feed counts
    record Excepted(Optional<String> feed, Optional<String> category, Match match, boolean shared, boolean ofFeed)
            implements Statement {

        /// Whether it is about every list.
        boolean isSiteWide() {
            return feed.isEmpty() && category.isEmpty();
        }

        /// @param narrower whether the listing is of something narrower than the exception
        boolean overrides(Listed listed, boolean narrower) {
            return !(shared && listed.own())
                    && !(ofFeed && narrower)
                    && feed.map(listed.feed()::equals).orElse(true)
                    && category.map(listed.category()::equals).orElse(true);
        }
    }
}
