package org.bloomgate.lists.layer;

import java.time.Instant;
import java.util.List;

/// The messages of the last day that a new snapshot would have listed and the previous one did not.
///
/// A key that no message before that day contained may be an outbreak: unknown messages with unknown keys. The
/// gates only count keys that earlier messages contained: what is delivered day after day is rarely what a feed
/// means. One sender cannot close a gate, however often it writes: [Votes] counts.
///
/// @param mails messages recorded in that time, here and below those of one client network to one recipient counted
/// once
/// @param listed those of them with a newly listed key
/// @param known those of them with a newly listed key that earlier messages contained
/// @param voters different client networks, or recipients if these are fewer, of the known ones
/// @param feeds by feed; a message counts for each of them
/// @param held the messages that feeds would have stopped which were rejected, or partly held back, for this
///     reason
/// @param overlooked listings that were not searched for because there were too many; if not 0, the counts are
///     lower bounds
public record BlastReport(
        long mails, long listed, long known, long voters, List<OfFeed> feeds, List<OfFeed> held, long overlooked) {

    /// @param mails messages that contain a key newly listed by the feed
    /// @param known those with a key that earlier mail contained
    /// @param voters of the known ones
    /// @param examples the first of them
    public record OfFeed(String feed, long mails, long known, long voters, List<Example> examples) {
        public OfFeed {
            examples = List.copyOf(examples);
        }
    }

    /// @param token of the decision, an argument of `explain`
    /// @param key as it is listed
    public record Example(String token, Instant delivered, String key) {}

    public BlastReport {
        feeds = List.copyOf(feeds);
        held = List.copyOf(held);
    }

    /// Whether this many messages are more than a share of all recorded ones.
    public boolean exceeds(long messages, double share) {
        return messages > share * mails;
    }

    public BlastReport withHeld(List<OfFeed> earlier) {
        return new BlastReport(mails, listed, known, voters, feeds, earlier, overlooked);
    }
}
