package org.bloomgate.message;

import java.util.Set;

/// What is known of a message besides its identifiers.
///
/// @param limits names of the limits that were reached; empty means fully inspected
public record Inspection(Set<String> limits) {
    public Inspection {
        limits = Set.copyOf(limits);
    }
}
