package org.bloomgate.decision.journal;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.bloomgate.decision.journal.Decision.RecordedFinding;
import org.bloomgate.lookup.tier.FilterHits;

/// The part of a decision that reports on feeds need: its findings and filter hits.
///
/// @param found listed and unresolved identifiers; empty if only a filter was positive
/// @param filters hits of the filters that had suspects
/// @param feed whose listing decided; empty if none did
/// @param enforced label of the action taken
/// @param would label of the action that each feed in shadow mode would have caused, by the name of the feed
// Other fields are ignored by name: with a lenient reader they would stay in memory to the end of the line.
@JsonIgnoreProperties(ignoreUnknown = true)
public record DecisionFindings(
        Instant time,
        String token,
        List<RecordedFinding> found,
        @JsonSetter(nulls = Nulls.AS_EMPTY) List<FilterHits> filters,
        @JsonSetter(nulls = Nulls.AS_EMPTY) String feed,
        @JsonSetter(nulls = Nulls.AS_EMPTY) String enforced,
        @JsonSetter(nulls = Nulls.AS_EMPTY) Map<String, String> would) {
    public DecisionFindings {
        found = List.copyOf(found);
        filters = List.copyOf(filters);
        would = Map.copyOf(would);
    }
}
