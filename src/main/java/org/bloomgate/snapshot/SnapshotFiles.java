package org.bloomgate.snapshot;

import org.bloomgate.key.KeyKind;

/// Names of the files of a snapshot that mirrors build its filters from.
public final class SnapshotFiles {
    private static final String DELTA = ".delta";

    private SnapshotFiles() {}

    /// The hashes of all keys of a filter.
    public static String hashes(KeyKind kind) {
        return kind.label() + ".hashes";
    }

    /// What changed in them since a generation. Nobody needs it who has not got that.
    public static String delta(KeyKind kind, String since) {
        return kind.label() + "." + since + DELTA;
    }

    static boolean isDelta(String path) {
        return path.endsWith(DELTA);
    }
}
