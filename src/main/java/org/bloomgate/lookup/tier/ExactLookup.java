package org.bloomgate.lookup.tier;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.bloomgate.core.key.Key;

/// The exact tier of one layer. Implementations are thread-safe. They answer [ExactAnswer.Unknown] instead of
/// throwing for a key or a fault, and never infer "listed" from a malformed answer.
public interface ExactLookup extends AutoCloseable {

    /// Returns one answer for each key, in order, within the timeout.
    List<ExactAnswer> lookup(List<Key> keys, Duration timeout);

    /// The store on this machine with the answers; empty if another machine is queried.
    default Optional<ExactLookup> local() {
        return Optional.empty();
    }

    /// Whether a lookup may wait for another machine. A store on this machine answers in microseconds, or reads a
    /// page from its disk.
    default boolean mayQueryRemote() {
        return true;
    }

    @Override
    void close();
}
