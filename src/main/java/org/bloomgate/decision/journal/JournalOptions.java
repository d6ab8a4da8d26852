package org.bloomgate.decision.journal;

import java.nio.file.Path;
import org.bloomgate.base.config.EmptyIsDefault;
import org.bloomgate.decision.keyjournal.KeyJournalOptions;

/// The `journal` section of the configuration.
///
/// @param directory of the day files
/// @param keepDays days kept, today included; at least 1
/// @param maxBytes of all files together; the oldest records are deleted first
/// @param subjects whether subjects and header From of messages are kept
/// @param keys hashes of the keys of recent mail
public record JournalOptions(
        @EmptyIsDefault Path directory, int keepDays, long maxBytes, boolean subjects, KeyJournalOptions keys) {

    /// @param state folder of all state
    public static JournalOptions defaults(Path state) {
        return new JournalOptions(state.resolve("decisions"), 14, 1L << 30, true, KeyJournalOptions.defaults(state));
    }
}
