package org.bloomgate.lists.layer;

import java.time.Instant;
import java.util.List;

/// Messages that were delivered before their keys were listed, as found after a rebuild.
///
/// @param since the earliest delivery that was searched
/// @param mails messages delivered in that time
/// @param holding those of them with a key that is listed now and was not at delivery
/// @param overlooked listings that were too many to search for; if not 0, there may be more messages
/// @param unreadable hours and blocks of the records that cannot be read; if not 0, there may be more messages
/// @param examples the first messages, at most [#MAX_EXAMPLES]
public record RetroReport(
        Instant since, long mails, long holding, long overlooked, int unreadable, List<Example> examples) {
    public static final int MAX_EXAMPLES = 100;

    /// One message.
    ///
    /// @param listings as `FEED lists KEY`
    public record Example(String token, Instant delivered, List<String> listings) {
        public Example {
            listings = List.copyOf(listings);
        }
    }

    public RetroReport {
        examples = List.copyOf(examples);
    }
}
