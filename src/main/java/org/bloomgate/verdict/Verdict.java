package org.bloomgate.verdict;

import java.util.List;
import java.util.Set;

/// The answer about one identifier or one message. "Could not ask" is a value of its own and never counts as clean.
public sealed interface Verdict {
    /// Surely not listed.
    record Clean() implements Verdict {}

    /// At least one feed lists it.
    record Listed(List<Listing> listings) implements Verdict {
        public Listed {
            listings = List.copyOf(listings);
            if (listings.isEmpty()) {
                throw new IllegalArgumentException("listed by nobody");
            }
        }
    }

    /// A suspect about which the exact tier could not be asked.
    ///
    /// @param reason for the log: which tier, what happened
    /// @param categories of all feeds that could list it
    record Unresolved(String reason, Set<String> categories) implements Verdict {
        public Unresolved {
            categories = Set.copyOf(categories);
        }
    }

    /// The word in JSON, logs and metrics: `clean`, `listed` or `unresolved`.
    default String word() {
        return switch (this) {
            case Clean clean -> "clean";
            case Listed listed -> "listed";
            case Unresolved unresolved -> "unresolved";
        };
    }
}
