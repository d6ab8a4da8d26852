package org.bloomgate.journal;

import java.time.Instant;
import java.util.List;
import org.bloomgate.journal.Decision.Found;

/// A decision as far as it speaks of listings.
///
/// @param found what is listed or unresolved, at least one
public record Sighting(Instant time, String token, List<Found> found) {
    public Sighting {
        found = List.copyOf(found);
    }
}
