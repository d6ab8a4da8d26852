package org.bloomgate.lists.sort;

import java.io.IOException;
import java.nio.file.Path;

/// Keys to be added to existing [SortedKeys]: written in their order to a separate file, and merged on reading.
/// Not thread-safe.
public final class ExtraKeys implements AutoCloseable {
    private final SortedKeys among;
    private final Path file;
    private final RunWriter writer;
    private final byte[] key = new byte[SortBuffer.MAX_KEY_BYTES];
    private final long[] keysByKind;

    ExtraKeys(SortedKeys among, Path file, long[] keysByKind) throws IOException {
        this.among = among;
        this.file = file;
        this.keysByKind = keysByKind;
        writer = new RunWriter(file);
    }

    /// @param bytes of a key after the one before
    /// @param sources ascending
    /// @param isNew whether the key is not among the sorted ones
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

    /// All together.
    public SortedKeys finish() throws IOException {
        writer.close();
        return among.and(file, keysByKind);
    }

    @Override
    public void close() throws IOException {
        writer.close();
    }
}
