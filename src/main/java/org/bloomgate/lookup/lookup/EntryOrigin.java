package org.bloomgate.lookup.lookup;

/// Where operators said something.
public enum EntryOrigin {
    /// At this machine.
    HERE,
    /// At the publisher that this machine follows. What is said here takes precedence over it.
    PUBLISHER
}
