package org.bloomgate.decision.journal;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.bloomgate.decision.journal.Decision.Found;
import org.bloomgate.lookup.tier.FilterHits;

/// A decision as far as it speaks of listings and filters.
///
/// @param found listed and unresolved identifiers; empty if only a filter was positive
/// @param filters those that had suspects
/// @param feed whose listing decided; empty when none did
/// @param enforced word of what was done
/// @param would word of what each feed on trial would have done, by the name of the feed
// Other fields are passed over: a reader that only tolerates them keeps them in memory to the end of the line.
@JsonIgnoreProperties(ignoreUnknown = true)
public record Sighting(
        Instant time,
        String token,
        List<Found> found,
        @JsonSetter(nulls = Nulls.AS_EMPTY) List<FilterHits> filters,
        @JsonSetter(nulls = Nulls.AS_EMPTY) String feed,
        @JsonSetter(nulls = Nulls.AS_EMPTY) String enforced,
        @JsonSetter(nulls = Nulls.AS_EMPTY) Map<String, String> would) {
    public Sighting {
        found = List.copyOf(found);
        filters = List.copyOf(filters);
        would = Map.copyOf(would);
    }
}
