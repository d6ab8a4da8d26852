package org.bloomgate.lists.snapshot;

import java.io.IOException;

/// Thrown for a snapshot that must not be used. The message names the file and what is wrong with it. Reading
/// it again would have the same result.
public final class SnapshotRefusedException extends IOException {
    private static final long serialVersionUID = 1;

    public SnapshotRefusedException(String reason) {
        super(reason);
    }
}
