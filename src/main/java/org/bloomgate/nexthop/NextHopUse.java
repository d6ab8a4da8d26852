package org.bloomgate.nexthop;

import java.util.Map;

/// How a next hop is doing at one moment.
///
/// @param idle connections kept for the next transaction
/// @param busy connections in a transaction, or being made
/// @param faults since it was opened, by kind
public record NextHopUse(int idle, int busy, Map<NextHopFault.Kind, Long> faults) {
    /// Of one that is no server.
    static final NextHopUse NONE = new NextHopUse(0, 0, Map.of());

    public NextHopUse {
        faults = Map.copyOf(faults);
    }

    public long faults(NextHopFault.Kind kind) {
        return faults.getOrDefault(kind, 0L);
    }
}
