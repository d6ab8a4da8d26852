package org.bloomgate.rebuild;

import java.time.Instant;
import java.util.List;

/// The mail delivered in the last day that a new snapshot would have judged listed and the one before did not.
///
/// @param mails recorded in that time
/// @param listed those of them that hold a key listed anew
/// @param feeds by feed; a mail counts for each of them
/// @param overlooked listings that were not looked for because there were too many: when not 0, `listed` is a lower
/// bound
public record BlastReport(long mails, long listed, List<OfFeed> feeds, long overlooked) {

    /// @param mails that hold a key listed anew by the feed
    /// @param examples the first of them
    public record OfFeed(String feed, long mails, List<Example> examples) {
        public OfFeed {
            examples = List.copyOf(examples);
        }
    }

    /// @param token of the decision, which `explain` takes
    /// @param key as it is listed
    public record Example(String token, Instant delivered, String key) {}

    public BlastReport {
        feeds = List.copyOf(feeds);
    }

    /// Of all mail recorded.
    double share() {
        return mails == 0 ? 0 : (double) listed / mails;
    }
}
