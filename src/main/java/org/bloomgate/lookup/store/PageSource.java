package org.bloomgate.lookup.store;

import java.io.IOException;

/// Reads the pages of one part of a store, from a disk or from another machine. Implementations are thread-safe.
interface PageSource extends AutoCloseable {

    /// Returns the bytes of a page. The caller verifies the checksum; a source that does not trust where the bytes
    /// come from verifies [PageReference#isDigestOf] as well.
    ///
    /// @throws IOException if they cannot be read: the keys of the page are unknown
    byte[] read(PageReference page) throws IOException;

    /// Does nothing where nothing is open.
    @Override
    default void close() {}
}
