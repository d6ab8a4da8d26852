package org.bloomgate.decision.keyjournal;

import java.nio.file.Path;
import java.time.Duration;
import org.bloomgate.base.config.EmptyIsDefault;
import org.bloomgate.base.config.NotASetting;

/// The section `journal.keys` of the configuration.
///
/// @param directory of the hourly files and of the installation key
/// @param keep age at which an hour is deleted; at least an hour
/// @param maxBytes of all files together; the oldest records are deleted first
public record KeyJournalOptions(
        @EmptyIsDefault Path directory,
        Duration keep,
        @NotASetting long maxBytes) {

    public KeyJournalOptions {
        if (keep.compareTo(Duration.ofHours(1)) < 0) {
            throw new IllegalArgumentException("keep must be at least 1h");
        }
        if (maxBytes < 1 << 20) {
            throw new IllegalArgumentException("maxBytes must be at least 1M");
        }
    }

    /// @param state folder of all state
    public static KeyJournalOptions defaults(Path state) {
        return new KeyJournalOptions(state.resolve("keys"), Duration.ofDays(7), 1L << 30);
    }
}
