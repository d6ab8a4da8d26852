package org.bloomgate.lists.build;

import java.time.Instant;
import java.util.List;

/// Mail that was delivered before its keys were listed, as the look back after a rebuild found it.
///
/// @param since when the look back begins
/// @param mails messages delivered in that time
/// @param holding those of them that hold a key which is listed now and was not when they came
/// @param overlooked listings that were too many to look for: when not 0, there may be more
/// @param unreadable hours and blocks of the records that cannot be read: when not 0, there may be more
/// @param examples the first of them, at most [#MAX_EXAMPLES]
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
