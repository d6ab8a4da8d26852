package org.bloomgate.lists.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.Collections;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.bloomgate.lookup.tier.Action;

/// The figures of one feed; an object of `feeds report --json` and of `/v1/feeds/report`.
///
/// @param entries keys that the feed lists now
/// @param exclusiveEntries of them, those that no other feed lists
/// @param overlap number of keys shared with each other feed, by name, where there are any
/// @param messages that the feed decided, by enforced action
/// @param hits identifiers in messages that the feed listed, including overridden ones
/// @param exclusiveHits of them, those that no other feed listed
/// @param shadowHits of them, those while the feed was in shadow
/// @param overridden hits that an exception overrode, at least for some recipients
/// @param errors values that operators confirmed to be listed wrongly and that still have an exception
/// @param dropped hits on keys that the feed no longer lists
/// @param medianAgeHours between the listing and its hit; absent if no hit has the time of its listing
/// @param suspects exact lookups caused by the filters that contain the feed, which they share with other feeds
/// @param refuted of them, those whose key was not listed
/// @param bytes of the last fetched content; absent if it was not fetched on this machine
/// @param seconds that fetching and reading it took
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

    /// The number of messages that the feed decided with one action.
    public long messages(Action action) {
        return messages.getOrDefault(action.label(), 0L);
    }
}
