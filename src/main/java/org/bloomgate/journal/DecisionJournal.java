package org.bloomgate.journal;

import java.util.List;
import java.util.Optional;

/// Keeps decisions as JSON lines by day and finds them again by token. Thread-safe.
public interface DecisionJournal extends AutoCloseable {

    /// Takes a decision without waiting for the disk.
    void record(Decision decision);

    Optional<Decision> find(String token);

    /// The latest decisions, newest first, few enough to be shown every other second; of a journal that keeps none at
    /// hand there are none.
    default List<Decision> recent() {
        return List.of();
    }

    @Override
    void close();
}
