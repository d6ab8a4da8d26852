package org.bloomgate.local;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.key.Key;
import org.bloomgate.key.Match;
import org.bloomgate.key.Use;
import org.bloomgate.lookup.LocalRules;
import org.bloomgate.verdict.Listing;

/// A value that an operator lists.
///
/// @param reason in the operator's words; may be empty
/// @param until when it ends; empty for never
public record LocalListing(
        Key key, Match match, String category, String reason, String author, Instant added, Optional<Instant> until) {

    Listing listing() {
        Instant seen = added.truncatedTo(ChronoUnit.SECONDS);
        return new Listing(LocalRules.LAYER, category, key, match, Set.of(Use.values()), seen, seen, 0);
    }
}
