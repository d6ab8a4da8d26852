package org.bloomgate.server.quarantine;

import java.io.IOException;
import java.util.Optional;

/// The quarantine as those see it who look after it: what is kept, and a way to send it on. Thread-safe.
///
/// @param index of what is kept
/// @param releases opens a release to the next hop of the moment
public record QuarantineService(Quarantine kept, QuarantineIndex index, Releases releases) {

    /// How a release begins.
    @FunctionalInterface
    public interface Releases {
        /// @throws IOException when another one takes long, or the next hop cannot be used
        QuarantineRelease open() throws IOException;
    }

    /// The message of a token; empty if there is none.
    public Optional<QuarantinedMessage> find(String token) throws IOException {
        return kept.find(token);
    }
}
