package org.bloomgate.lookup.tier;

import java.util.Optional;

/// The source of a listing, and the strongest action it may cause.
public sealed interface ListingSource {
    /// The strictest action that the listing causes; empty if that depends on other things alone.
    Optional<Action> action();

    /// An entry of an operator: its action depends only on the place of the identifier, unless it is capped.
    record Operators(EntryOrigin origin, Optional<Action> action) implements ListingSource {}

    /// @param shadow true if the feed is in shadow mode: its action is recorded and not enforced
    record OfFeed(Optional<Action> action, boolean shadow) implements ListingSource {
        /// A feed without a maximum action and not in shadow mode.
        public static final OfFeed PLAIN = new OfFeed(Optional.empty(), false);
    }

    /// True if the listing causes no action: its feed is in shadow mode.
    default boolean isInShadow() {
        return switch (this) {
            case Operators _ -> false;
            case OfFeed feed -> feed.shadow();
        };
    }
}
