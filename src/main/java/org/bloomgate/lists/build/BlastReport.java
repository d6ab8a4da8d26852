package org.bloomgate.lists.build;

import java.time.Instant;
import java.util.List;

/// The mail delivered in the last day that a new snapshot would have evaluated listed and the one before did
/// not.
///
/// A key that no message before that day contained may be an outbreak: unknown mail with unknown keys. The
/// gates only count keys that earlier mail contained: mail that is delivered day after day is rarely what a
/// feed means.
///
/// @param mails messages recorded in that time
/// @param listed those of them that hold a key listed again
/// @param known those of them with a key that earlier mail contained
/// @param feeds by feed; a message counts for each of them
/// @param held of feeds that were not taken, or not all of them, for it: what they would have stopped
/// @param overlooked listings that were not looked for because there were too many: when not 0, the counts
/// are lower bounds
public record BlastReport(long mails, long listed, long known, List<OfFeed> feeds, List<OfFeed> held, long overlooked) {

    /// @param mails messages that contain a key newly listed by the feed
    /// @param known those with a key that earlier mail contained
    /// @param examples the first of them
    public record OfFeed(String feed, long mails, long known, List<Example> examples) {
        public OfFeed {
            examples = List.copyOf(examples);
        }
    }

    /// @param token of the decision, which `explain` takes
    /// @param key as it is listed
    public record Example(String token, Instant delivered, String key) {}

    public BlastReport {
        feeds = List.copyOf(feeds);
        held = List.copyOf(held);
    }

    /// Whether this many messages are more than a share of all that are recorded.
    public boolean exceeds(long some, double share) {
        return some > share * mails;
    }

    public BlastReport withHeld(List<OfFeed> earlier) {
        return new BlastReport(mails, listed, known, feeds, earlier, overlooked);
    }
}
