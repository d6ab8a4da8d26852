package org.bloomgate.lists.sort;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/// Walks [SortedKeys] key by key. All results are valid until the next key.
public final class KeyCursor implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 18;

    private final RunMerge merge;
    private final byte[] key = new byte[SortBuffer.MAX_KEY_BYTES];
    private int keyLength;
    private int[] sources = new int[4];
    private long[] counts = new long[4];
    private int size;
    private boolean hasNext;

    /// @param files each sorted; a key may be in several
    KeyCursor(List<Path> files) throws IOException {
        merge = new RunMerge(files, (long) files.size() * BUFFER_BYTES);
        hasNext = merge.next();
    }

    /// Moves to the next key; false after the last.
    public boolean next() throws IOException {
        if (!hasNext) {
            return false;
        }
        RunReader reader = merge.record();
        keyLength = reader.keyLength();
        System.arraycopy(reader.key(), 0, key, 0, keyLength);
        size = 0;
        do {
            if (size == sources.length) {
                sources = Arrays.copyOf(sources, size * 2);
                counts = Arrays.copyOf(counts, size * 2);
            }
            sources[size] = merge.record().source();
            counts[size++] = merge.record().count();
            hasNext = merge.next();
        } while (hasNext && isSameKey(merge.record()));
        return true;
    }

    private boolean isSameKey(RunReader record) {
        return Arrays.equals(key, 0, keyLength, record.key(), 0, record.keyLength());
    }

    public int kindCode() {
        return key[0] & 0xff;
    }

    /// The buffer with the bytes of the key, from 1 to [#end()].
    public byte[] bytes() {
        return key;
    }

    public int end() {
        return keyLength;
    }

    /// Number of sources with the key.
    public int countSources() {
        return size;
    }

    /// The sources in ascending order.
    public int source(int i) {
        return sources[i];
    }

    public long count(int i) {
        return counts[i];
    }

    @Override
    public void close() throws IOException {
        merge.close();
    }
}
