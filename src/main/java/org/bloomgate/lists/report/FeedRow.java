package org.bloomgate.lists.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.Collections;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.bloomgate.lookup.lookup.Action;

/// The figures of one feed; an object of `feeds report --json` and of `/v1/feeds/report`.
///
/// @param entries keys that it lists now
/// @param exclusiveEntries of them, those that no other feed lists
/// @param overlap keys that it shares with each other feed, where there are any, by name
/// @param messages that it decided, by action as enforced
/// @param hits identifiers in mail that it listed, overridden ones included
/// @param exclusiveHits of them, those that no other feed listed
/// @param shadowHits of them, those while the feed was on trial
/// @param overridden hits that an exception took back, for some recipients at least
/// @param errors values that operators confirmed to be listed wrongly, and except still
/// @param dropped hits on keys that the feed does not list any more
/// @param medianAgeHours between the listing and its hit; absent without a hit that says
/// @param suspects exact lookups because of the filters that the feed is in, together with others
/// @param refuted of them, those that it did not hold
/// @param bytes of the feed as it was fetched last; absent when it was not fetched here
/// @param seconds that it took to fetch and read it then
@JsonPropertyOrder({"feed", "category"})
public record FeedRow(
        String feed,
        String category,
        long entries,
        long exclusiveEntries,
        Map<String, Long> overlap,
        Map<String, Long> messages,
        long hits,
        long exclusiveHits,
        long shadowHits,
        long overridden,
        long errors,
        long dropped,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) OptionalLong medianAgeHours,
        long suspects,
        long refuted,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) OptionalLong bytes,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) OptionalDouble seconds) {
    public FeedRow {
        overlap = Collections.unmodifiableMap(new TreeMap<>(overlap));
        messages = Collections.unmodifiableMap(new TreeMap<>(messages));
    }

    /// A feed without entries and hits.
    public static FeedRow unused(String feed, String category) {
        return new FeedRow(
                feed,
                category,
                0,
                0,
                Map.of(),
                Map.of(),
                0,
                0,
                0,
                0,
                0,
                0,
                OptionalLong.empty(),
                0,
                0,
                OptionalLong.empty(),
                OptionalDouble.empty());
    }

    /// Messages that it decided, with one action.
    public long messages(Action action) {
        return messages.getOrDefault(action.label(), 0L);
    }
}
