package org.bloomgate.lookup.store;

import java.io.IOException;
import java.nio.file.Path;

/// Takes exact stores to where gateways that do not open them from the snapshot ask for them.
///
/// The order guarantees that every generation that can be adopted can be queried: [#publish] before the
/// snapshot is current, [#retireOthers] after it. A failure or kill in between leaves the previous generation
/// intact.
public interface ExactPublisher {

    /// A store that is proven and not current yet.
    ///
    /// @param directory of the store
    /// @param entries keys in it
    record Built(String layer, String generation, Path directory, long entries) {}

    /// Watches the keys go; may end it with an unchecked exception.
    @FunctionalInterface
    interface Progress {
        void advance(long done, long total);
    }

    /// Writes all of the store and verifies what was written.
    ///
    /// @throws IOException if not every key can be looked up there: the snapshot must not become current
    void publish(Built built, Progress progress) throws IOException;

    /// Lets all other generations of the layer go, after the time that gateways have to adopt this one.
    ///
    /// @throws IOException when they take up space for longer
    void retireOthers(String layer, String generation) throws IOException;
}
