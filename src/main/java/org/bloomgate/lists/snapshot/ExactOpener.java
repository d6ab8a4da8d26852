package org.bloomgate.lists.snapshot;

import java.io.IOException;
import org.bloomgate.lookup.tier.ExactLookup;

/// Opens the exact tier of a snapshot that is about to be adopted.
@FunctionalInterface
public interface ExactOpener {

    /// @param snapshot already verified
    /// @throws IOException if it cannot be opened: the snapshot is refused for now and tried again later
    ExactLookup open(Snapshot snapshot) throws IOException;
}
