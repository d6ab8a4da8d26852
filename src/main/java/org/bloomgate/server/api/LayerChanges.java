package org.bloomgate.server.api;

import java.time.Instant;
import java.util.Optional;
import org.bloomgate.lists.fetch.Cadence;

/// Starts rebuilds and rollbacks of this machine's layers, each in a process of its own, one at a time. Thread-safe.
public interface LayerChanges {

    /// What is done to a layer.
    enum Operation {
        REBUILD("rebuild"),
        ROLLBACK("rollback");

        private final String label;

        Operation(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }
    }

    /// A change under way.
    ///
    /// @param by who asked for it; empty when it was due
    record Running(String layer, String operation, Instant startedAt, String by) {}

    Optional<Running> running();

    /// Why nothing can be started here; empty where it can.
    Optional<String> obstacle();

    /// Returns when the process is about to start.
    ///
    /// @param generation to go back to; empty for the one before the current one, and for a rebuild
    /// @return empty while another one runs
    Optional<Running> start(Operation operation, Cadence cadence, Optional<String> generation, String by);
}
