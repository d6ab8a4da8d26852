package org.bloomgate.journal;

import java.util.Optional;

/// Keeps decisions as JSON lines by day and finds them again by token. Thread-safe.
public interface DecisionJournal extends AutoCloseable {

    /// Takes a decision without waiting for the disk.
    void record(Decision decision);

    Optional<Decision> find(String token);

    @Override
    void close();
}
