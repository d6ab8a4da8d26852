package org.bloomgate.lookup.store;

import java.io.IOException;
import java.nio.file.Path;

/// Publishes exact stores to the servers that gateways query if they do not open the store of the snapshot.
///
/// The order guarantees that every generation that can be adopted can be queried: [#publish] before the
/// snapshot is current, [#retireOthers] after it. A failure or kill in between leaves the previous generation
/// intact.
public interface ExactPublisher {

    /// A store that is verified and not yet current.
    ///
    /// @param directory of the store
    /// @param entries number of keys in the store
    record Built(String layer, String generation, Path directory, long entries) {}

    /// Receives the progress of publishing; may end it with an unchecked exception.
    @FunctionalInterface
    interface Progress {
        void advance(long done, long total);
    }

    /// Writes the entire store and verifies the written data.
    ///
    /// @throws IOException if not every key can be looked up there: the snapshot must not become current
    void publish(Built built, Progress progress) throws IOException;

    /// Deletes all other generations of the layer, after the time that gateways have to adopt this one.
    ///
    /// @throws IOException if they cannot be deleted and continue to use space
    void retireOthers(String layer, String generation) throws IOException;
}
