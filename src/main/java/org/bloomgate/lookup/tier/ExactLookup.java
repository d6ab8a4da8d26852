package org.bloomgate.lookup.tier;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.bloomgate.core.key.Key;

/// The exact tier of one layer. Implementations are thread-safe, never throw for a key or a fault of theirs (the
/// answer is [ExactAnswer.Unknown]) and never infer "listed" from an odd answer.
public interface ExactLookup extends AutoCloseable {

    /// Returns one answer for each key, in order, within the timeout.
    List<ExactAnswer> lookup(List<Key> keys, Duration timeout);

    /// The store on this machine with the answers; empty if another machine is queried.
    default Optional<ExactLookup> local() {
        return Optional.empty();
    }

    /// Whether a lookup may wait for another machine. A store on this one answers in microseconds, or with a page from
    /// its disk.
    default boolean asksElsewhere() {
        return true;
    }

    @Override
    void close();
}
