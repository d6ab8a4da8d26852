package org.bloomgate.server.quarantine;

import java.nio.file.Path;
import org.bloomgate.base.config.NotASetting;

/// The `quarantine` section of the configuration.
///
/// @param folder Maildir of the messages
/// @param maxBytes of all messages with their envelopes
/// @param maxMessages number of messages
public record QuarantineOptions(@NotASetting Path folder, long maxBytes, int maxMessages) {

    public QuarantineOptions {
        if (maxBytes <= 0 || maxMessages <= 0) {
            throw new IllegalArgumentException((maxBytes <= 0 ? "maxBytes" : "maxMessages") + " must be above 0");
        }
    }

    /// @param state folder of all state
    public static QuarantineOptions defaults(Path state) {
        return new QuarantineOptions(state.resolve("quarantine"), 2L << 30, 50_000);
    }
}
