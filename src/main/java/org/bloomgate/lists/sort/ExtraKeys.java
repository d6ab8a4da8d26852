package org.bloomgate.lists.sort;

import java.io.IOException;
import java.nio.file.Path;

/// Keys to be added to existing [SortedKeys]: they are written in order to a separate file and merged on
/// reading. Not thread-safe.
public final class ExtraKeys implements AutoCloseable {
    private final SortedKeys keys;
    private final Path file;
    private final RunWriter writer;
    private final byte[] key = new byte[SortBuffer.MAX_KEY_BYTES];
    private final long[] keysByKind;

    ExtraKeys(SortedKeys keys, Path file, long[] keysByKind) throws IOException {
        this.keys = keys;
        this.file = file;
        this.keysByKind = keysByKind;
        writer = new RunWriter(file);
    }

    /// @param bytes of a key, which sorts after the previous one
    /// @param sources ascending
    /// @param isNew whether the sorted keys do not contain it
    public void add(int kindCode, byte[] bytes, int[] sources, long count, boolean isNew) throws IOException {
        key[0] = (byte) kindCode;
        System.arraycopy(bytes, 0, key, 1, bytes.length);
        for (int source : sources) {
            boolean _ = writer.add(key, 0, bytes.length + 1, source, count);
        }
        if (isNew) {
            keysByKind[kindCode]++;
        }
    }

    /// The sorted keys with the added ones.
    public SortedKeys finish() throws IOException {
        writer.close();
        return keys.with(file, keysByKind);
    }

    @Override
    public void close() throws IOException {
        writer.close();
    }
}
