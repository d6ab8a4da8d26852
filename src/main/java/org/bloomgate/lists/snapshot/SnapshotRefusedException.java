package org.bloomgate.lists.snapshot;

import java.io.IOException;

/// A snapshot that must not be used: the message names the file and what is wrong with it. Reading it again would
/// find the same.
public final class SnapshotRefusedException extends IOException {
    private static final long serialVersionUID = 1;

    public SnapshotRefusedException(String reason) {
        super(reason);
    }
}
