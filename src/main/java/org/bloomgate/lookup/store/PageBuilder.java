package org.bloomgate.lookup.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/// Builds pages as [Page] reads them, one after the other, from keys in ascending order. Not thread-safe.
final class PageBuilder {
    /// The entries from one whole key to the next.
    private static final int RESTART_INTERVAL = 16;

    private static final int MIN_ENTRY_BYTES = 4;
    private static final int MAX_ENTRY_HEADER_BYTES = 3 * 3;

    private final int targetBytes;
    private final ByteBuffer page;
    private final int[] restarts;
    private final byte[] lastKey = new byte[StoreKey.MAX_BYTES];
    private int lastLength;
    private int entries;

    /// @param targetBytes of a page, unless its only entry is larger
    PageBuilder(int targetBytes) {
        this.targetBytes = targetBytes;
        page = ByteBuffer.allocate(targetBytes + Page.MAX_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        restarts = new int[targetBytes / MIN_ENTRY_BYTES / RESTART_INTERVAL + 1];
    }

    boolean isEmpty() {
        return entries == 0;
    }

    int bytes() {
        return page.position();
    }

    /// The number of bytes that a key shares with the last one, which may be in the page before.
    ///
    /// @throws IOException if it does not sort after the last key
    int countSharedBytes(byte[] key, int length) throws IOException {
        int shared = Arrays.mismatch(lastKey, 0, lastLength, key, 0, length);
        if (shared < 0
                || shared == length
                || (shared < lastLength && Byte.compareUnsigned(key[shared], lastKey[shared]) < 0)) {
            throw new IOException("exact store: keys out of order");
        }
        return shared;
    }

    /// Whether the page stays within its size, or is empty.
    boolean hasRoomFor(int keyBytes, int valueBytes) {
        int restartBytes = (entries / RESTART_INTERVAL + 2) * Integer.BYTES;
        return isEmpty()
                || page.position() + MAX_ENTRY_HEADER_BYTES + keyBytes + valueBytes + restartBytes + Long.BYTES
                        <= targetBytes;
    }

    /// @param shared from [#countSharedBytes]
    /// @param isSameValue if the value is that of the entry before
    void add(byte[] key, int length, int shared, ByteBuffer value, boolean isSameValue) {
        boolean isRestart = entries % RESTART_INTERVAL == 0;
        int prefix = isRestart ? 0 : shared;
        if (isRestart) {
            restarts[entries / RESTART_INTERVAL] = page.position();
        }
        entries++;
        Varint.write(page, prefix);
        Varint.write(page, length - prefix);
        page.put(key, prefix, length - prefix);
        if (isSameValue && !isRestart) {
            Varint.write(page, 0);
        } else {
            Varint.write(page, value.remaining());
            page.put(value.duplicate());
        }
        System.arraycopy(key, shared, lastKey, shared, length - shared);
        lastLength = length;
    }

    /// The bytes of the page; the next one begins.
    byte[] finish(long offset) {
        int count = (entries + RESTART_INTERVAL - 1) / RESTART_INTERVAL;
        for (int i = 0; i < count; i++) {
            page.putInt(restarts[i]);
        }
        page.putInt(count);
        page.putLong(PageReference.checksum(page.array(), page.position(), offset));
        byte[] bytes = Arrays.copyOf(page.array(), page.position());
        page.clear();
        entries = 0;
        return bytes;
    }
}
