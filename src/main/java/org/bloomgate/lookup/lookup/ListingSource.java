package org.bloomgate.lookup.lookup;

import java.util.Optional;

/// The source of a listing, and the strongest action it may cause.
public sealed interface ListingSource {
    /// Listed at run time by those who run the gateway: only the place it is seen at decides.
    record Operators(EntryOrigin at) implements ListingSource {}

    /// @param action the hardest that this feed's listings lead to; empty leaves it to place and category
    /// @param shadow true while the feed is on trial: what it would do is recorded and never done
    record OfFeed(Optional<Action> action, boolean shadow) implements ListingSource {
        /// A feed without a special effect.
        public static final OfFeed PLAIN = new OfFeed(Optional.empty(), false);
    }

    /// True when nothing is done because of such a listing.
    default boolean onTrial() {
        return switch (this) {
            case Operators _ -> false;
            case OfFeed feed -> feed.shadow();
        };
    }
}
