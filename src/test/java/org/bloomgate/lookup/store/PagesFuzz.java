package org.bloomgate.lookup.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// What holds for a store that somebody forges, checksums and digests included: it is refused, or a key is found, is
/// not there, or is unknown, and a walk ends. The input is the lengths of a data page and of an index page, two bytes
/// each, then the data page, the index page and the root, without their checksums.
public final class PagesFuzz {
    private static final int HEADER_BYTES = 4;

    /// Pages from here on are index pages.
    static final long INDEX_OFFSET = 1 << 19;

    private static final long END = 1 << 20;

    private PagesFuzz() {}

    /// The name that Jazzer looks for.
    public static void fuzzerTestOneInput(byte[] bytes) {
        if (bytes.length < HEADER_BYTES) {
            return;
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        int dataBytes = Short.toUnsignedInt(in.getShort());
        int indexBytes = Short.toUnsignedInt(in.getShort());
        byte[] data = take(in, dataBytes);
        byte[] index = take(in, indexBytes);
        byte[] root = Arrays.copyOf(take(in, in.remaining()), in.limit() + Long.BYTES);
        try (StorePart part = new StorePart(new Forged(data, index), END, root, StorePart.createIndexCache(END))) {
            for (int i = 0; i < bytes.length; i += 7) {
                find(part, Arrays.copyOfRange(bytes, i, Math.min(bytes.length, i + i % 23)));
            }
            walk(part);
        } catch (MalformedStoreException e) {
            assertTrue(!String.valueOf(e.getMessage()).isBlank());
        } catch (IOException e) {
            throw new AssertionError("memory is readable", e);
        }
    }

    private static byte[] take(ByteBuffer in, int bytes) {
        byte[] taken = new byte[Math.min(bytes, in.remaining())];
        in.get(taken);
        return taken;
    }

    private static void find(StorePart part, byte[] key) throws IOException {
        try {
            Optional<byte[]> value = part.find(key);
            assertTrue(value.isEmpty() || value.get().length > 0);
        } catch (MalformedStoreException e) {
            assertTrue(!String.valueOf(e.getMessage()).isBlank());
        }
    }

    private static void walk(StorePart part) throws IOException {
        try (StoreCursor cursor = new PagesCursor(List.of(part), SortedStore.FIRST, SortedStore.LAST)) {
            while (cursor.next()) {
                assertTrue(cursor.end() <= StoreKey.MAX_BYTES);
                assertEquals(cursor.end(), cursor.storeKey().length);
                assertTrue(cursor.stored().size() > 0);
            }
        }
    }

    /// Gives every page the checksum that it must have.
    private static final class Forged implements PageSource {
        private final byte[] data;
        private final byte[] index;

        Forged(byte[] data, byte[] index) {
            this.data = data;
            this.index = index;
        }

        @Override
        public byte[] read(PageReference page) {
            byte[] body = page.offset() < INDEX_OFFSET ? data : index;
            ByteBuffer bytes = ByteBuffer.allocate(body.length + Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            bytes.put(body).putLong(PageReference.checksum(body, body.length, page.offset()));
            return bytes.array();
        }

        @Override
        public void close() {}
    }
}
