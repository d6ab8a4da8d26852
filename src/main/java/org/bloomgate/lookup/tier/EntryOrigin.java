package org.bloomgate.lookup.tier;

/// Where an operator made an entry.
public enum EntryOrigin {
    /// At this machine.
    HERE,
    /// Made at the publisher that this machine follows. An entry made here takes precedence over it.
    PUBLISHER
}
