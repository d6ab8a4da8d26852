package org.bloomgate.fleet;

import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// The mirrors, and what they are compared with. Thread-safe.
///
/// @param now what is in force here when it is asked
public record FleetStanding(Fleet fleet, Supplier<Here> now) {

    /// What is in force at the publisher.
    ///
    /// @param generations by layer
    /// @param counter of the newest statement of what is current; empty when nothing was said
    /// @param listings counter of the one of what operators list; empty when nothing was said
    public record Here(Map<String, String> generations, Optional<Long> counter, Optional<Long> listings) {
        public Here {
            generations = Map.copyOf(generations);
        }
    }

    public Here here() {
        return now.get();
    }
}
