package org.bloomgate.lists.snapshot;

import java.nio.file.Path;
import org.bloomgate.core.key.KeyKind;

/// Names of the files of a snapshot that mirrors build its filters from, and where its exact store is.
public final class SnapshotFiles {
    private static final String DELTA = ".delta";

    private SnapshotFiles() {}

    /// The hashes of all keys of a filter.
    public static String hashes(KeyKind kind) {
        return kind.label() + ".hashes";
    }

    /// The changes since a generation. Only a client that has that generation needs it.
    public static String delta(KeyKind kind, String since) {
        return kind.label() + "." + since + DELTA;
    }

    /// Where the exact store of a snapshot is.
    public static Path exact(Path snapshot) {
        return snapshot.resolve(SnapshotWriter.EXACT);
    }

    /// Whether it belongs to the exact store.
    public static boolean isExact(String path) {
        return path.startsWith(SnapshotWriter.EXACT + "/");
    }

    static boolean isDelta(String path) {
        return path.endsWith(DELTA);
    }
}
