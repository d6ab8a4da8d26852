package org.bloomgate.lookup.tier;

import java.util.List;
import java.util.Set;
import org.bloomgate.base.config.Labelled;

/// The answer about one identifier or one message. A failed lookup is a value of its own and never counts as clean.
public sealed interface Verdict {
    /// Proven not listed.
    record Clean() implements Verdict {}

    /// At least one feed lists it.
    record Listed(List<Listing> listings) implements Verdict {
        public Listed {
            listings = List.copyOf(listings);
            if (listings.isEmpty()) {
                throw new IllegalArgumentException("a listed verdict without listings");
            }
        }
    }

    /// A suspect for which the exact tier gave no answer.
    ///
    /// @param reason for the log: which tier, what happened
    /// @param categories of all feeds that could list it
    record Unresolved(String reason, Set<String> categories) implements Verdict {
        public Unresolved {
            categories = Set.copyOf(categories);
        }
    }

    /// Which of the three verdicts it is.
    enum Kind implements Labelled {
        CLEAN,
        LISTED,
        UNRESOLVED
    }

    default Kind kind() {
        return switch (this) {
            case Clean _ -> Kind.CLEAN;
            case Listed _ -> Kind.LISTED;
            case Unresolved _ -> Kind.UNRESOLVED;
        };
    }
}
