package org.bloomgate.server.quarantine;

import java.io.IOException;
import java.util.Optional;

/// The quarantine for operators: the messages, and a way to release them. Thread-safe.
///
/// @param releases opens a release to the current next hop
public record QuarantineService(Quarantine quarantine, QuarantineIndex index, Releases releases) {

    /// Opens releases.
    @FunctionalInterface
    public interface Releases {
        /// @throws IOException if another release takes too long, or the next hop cannot be used
        QuarantineRelease open() throws IOException;
    }

    /// The message of a token; empty if there is none.
    public Optional<QuarantinedMessage> find(String token) throws IOException {
        return quarantine.find(token);
    }
}
