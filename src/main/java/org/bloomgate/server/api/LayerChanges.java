package org.bloomgate.server.api;

import java.time.Instant;
import java.util.Optional;
import org.bloomgate.base.config.Labelled;
import org.bloomgate.lists.fetch.Cadence;

/// Starts rebuilds and rollbacks of this machine's layers, each in a process of its own, one at a time.
/// Thread-safe.
public interface LayerChanges {

    /// The changes of a layer.
    enum Operation implements Labelled {
        REBUILD,
        ROLLBACK
    }

    /// A change in progress.
    ///
    /// @param by the operator who requested it; empty if it was due
    record Running(String layer, String operation, Instant startedAt, String by) {}

    Optional<Running> running();

    /// The reason why no change can be started here; empty if it can.
    Optional<String> obstacle();

    /// Starts a change. Returns when its process is about to start.
    ///
    /// @param generation to roll back to; empty for the one before the current one, and for a rebuild
    /// @return empty while another one runs
    Optional<Running> start(Operation operation, Cadence cadence, Optional<String> generation, String by);
}
