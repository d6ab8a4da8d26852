package org.bloomgate.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.Map;
import java.util.OptionalLong;

/// What one feed is worth; an object of `feeds report --json`.
///
/// @param entries keys that it lists now
/// @param exclusiveEntries of them, those that no other feed lists
/// @param overlap keys that it shares with each other feed, where there are any
/// @param hits identifiers in mail that it listed, overridden ones included
/// @param exclusiveHits of them, those that no other feed listed
/// @param overridden hits that an exception took back, for some recipients at least
/// @param errors values that operators confirmed to be listed wrongly, and except still
/// @param dropped hits on keys that the feed does not list any more
/// @param medianAgeHours between the listing and its hit; absent without a hit that says
@JsonPropertyOrder({"feed", "category"})
public record FeedRow(
        String feed,
        String category,
        long entries,
        long exclusiveEntries,
        Map<String, Long> overlap,
        long hits,
        long exclusiveHits,
        long overridden,
        long errors,
        long dropped,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) OptionalLong medianAgeHours) {
    public FeedRow {
        overlap = Map.copyOf(overlap);
    }
}
