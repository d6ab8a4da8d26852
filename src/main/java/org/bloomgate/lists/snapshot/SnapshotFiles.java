package org.bloomgate.lists.snapshot;

import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lookup.store.PartRoot;

/// Names of the files of a snapshot that mirrors build its filters from, and of the files of its exact store.
public final class SnapshotFiles {
    private static final String DELTA = ".delta";

    private SnapshotFiles() {}

    /// The hashes of all keys of a filter.
    public static String nameHashesFile(KeyKind kind) {
        return kind.label() + ".hashes";
    }

    /// The changes since a generation. Only a client that has that generation needs it.
    public static String nameDeltaFile(KeyKind kind, String since) {
        return kind.label() + "." + since + DELTA;
    }

    /// Whether the file belongs to the exact store.
    static boolean isExact(String path) {
        return path.startsWith(SnapshotWriter.EXACT + "/");
    }

    /// Whether the file is a part of an exact store.
    static boolean isPart(String path) {
        return isExact(path) && path.endsWith(PartRoot.FILE_EXTENSION);
    }

    static boolean isDelta(String path) {
        return path.endsWith(DELTA);
    }
}
