package org.bloomgate.lists.sort;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// All keys in order, each with its sources. They can be walked several times.
public final class SortedKeys {
    private final List<Path> files;
    private final long[] keysByKind;

    /// @param keysByKind number of unique keys by the wire code of their kind
    SortedKeys(Path file, long[] keysByKind) {
        this(List.of(file), keysByKind);
    }

    private SortedKeys(List<Path> files, long[] keysByKind) {
        this.files = files;
        this.keysByKind = keysByKind;
    }

    /// A run with all keys except those added by [#extra].
    public Path file() {
        return files.getFirst();
    }

    /// Begins to add keys.
    public ExtraKeys extra() throws IOException {
        return new ExtraKeys(this, file().resolveSibling("extra-" + files.size()), keysByKind.clone());
    }

    SortedKeys with(Path extra, long[] newKeysByKind) {
        List<Path> both = new ArrayList<>(files);
        both.add(extra);
        return new SortedKeys(List.copyOf(both), newKeysByKind);
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
        return new KeyCursor(files);
    }
}
