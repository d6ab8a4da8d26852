package org.bloomgate.sort;

import java.io.IOException;
import java.nio.file.Path;

/// All keys in order, each with the sources that hold it; may be walked as often as wanted.
public final class SortedKeys {
    private final Path file;
    private final long[] keysByKind;

    /// @param keysByKind number of unique keys by the wire code of their kind
    SortedKeys(Path file, long[] keysByKind) {
        this.file = file;
        this.keysByKind = keysByKind;
    }

    Path file() {
        return file;
    }

    public long keys(int kindCode) {
        return keysByKind[kindCode];
    }

    /// Unique keys of all kinds.
    public long keys() {
        long all = 0;
        for (long keys : keysByKind) {
            all += keys;
        }
        return all;
    }

    public KeyCursor open() throws IOException {
        return new KeyCursor(file);
    }
}
