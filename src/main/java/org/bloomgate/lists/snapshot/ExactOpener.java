package org.bloomgate.lists.snapshot;

import java.io.IOException;
import java.nio.file.Path;
import org.bloomgate.lookup.lookup.ExactLookup;

/// Opens the exact tier of a snapshot that is about to be adopted.
@FunctionalInterface
public interface ExactOpener {

    /// @param manifest of the snapshot, already verified
    /// @param exactDirectory `<root>/<layer>/<generation>/exact`
    /// @throws IOException if it cannot be opened: the snapshot is refused for now and tried again later
    ExactLookup open(SnapshotManifest manifest, Path exactDirectory) throws IOException;
}
