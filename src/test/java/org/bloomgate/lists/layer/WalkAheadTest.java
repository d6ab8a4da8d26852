package org.bloomgate.lists.layer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.BitSet;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lists.sort.ExternalSort;
import org.bloomgate.lists.sort.KeyCursor;
import org.bloomgate.lookup.store.StoreCursor;
import org.bloomgate.lookup.store.StoredListings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WalkAheadTest {
    private static final int NEVER = Integer.MAX_VALUE;

    @TempDir
    private Path folder;

    /// Counted keys, of which one may be unreadable.
    private static final class Counted implements StoreCursor {
        private final int keys;
        private final int broken;
        private final StoredListings listings = new StoredListings();
        private byte[] key = {};
        private int at = -1;
        private boolean failed;
        private boolean closed;

        Counted(int keys, int broken) {
            this.keys = keys;
            this.broken = broken;
        }

        @Override
        public boolean next() throws IOException {
            assertFalse(failed, "asked again after a fault");
            if (++at == broken) {
                failed = true;
                throw new IOException("block 7 is damaged");
            }
            if (at >= keys) {
                return false;
            }
            key = keyOf(at);
            listings.clear();
            listings.add(at / 10 % 3, 1_000, 2_000, 0);
            return true;
        }

        @Override
        public byte[] bytes() {
            return key;
        }

        @Override
        public int end() {
            return key.length;
        }

        @Override
        public StoredListings stored() {
            return listings;
        }

        @Override
        public byte[] value() {
            throw new UnsupportedOperationException("nobody asks");
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private static byte[] keyOf(int number) {
        String text = "%07d".formatted(number) + "x".repeat(number % 50);
        return ((char) KeyKind.DOMAIN.wireCode() + text).getBytes(StandardCharsets.ISO_8859_1);
    }

    private static void requireNext(WalkAhead walk, int number) throws IOException {
        assertTrue(walk.next(), () -> "key " + number);
        assertEquals(KeyKind.DOMAIN.wireCode(), walk.kindCode());
        String told = new String(walk.bytes(), walk.from(), walk.to() - walk.from(), StandardCharsets.ISO_8859_1);
        byte[] whole = keyOf(number);
        assertEquals(new String(whole, 1, whole.length - 1, StandardCharsets.ISO_8859_1), told);
        assertEquals(number / 10 % 3, walk.listings().feed(0));
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                0,
                1,
                ListingBatch.MAX_KEYS - 1,
                ListingBatch.MAX_KEYS,
                ListingBatch.MAX_KEYS + 1,
                3 * ListingBatch.MAX_KEYS
            })
    void keys_areWalkedOnceInOrder(int keys) throws IOException {
        Counted store = new Counted(keys, NEVER);
        try (WalkAhead walk = new WalkAhead(store)) {
            for (int i = 0; i < keys; i++) {
                requireNext(walk, i);
            }
            assertFalse(walk.next());
            assertFalse(walk.next());
        }
        assertTrue(store.closed);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                0,
                1,
                ListingBatch.MAX_KEYS - 1,
                ListingBatch.MAX_KEYS,
                ListingBatch.MAX_KEYS + 1,
                2 * ListingBatch.MAX_KEYS
            })
    void fault_isThrownAfterEarlierKeys(int broken) throws IOException {
        try (WalkAhead walk = new WalkAhead(new Counted(NEVER, broken))) {
            for (int i = 0; i < broken; i++) {
                requireNext(walk, i);
            }
            for (int again = 0; again < 2; again++) {
                IOException fault = assertThrows(IOException.class, walk::next);
                assertEquals("block 7 is damaged", fault.getMessage());
            }
        }
    }

    @Test
    void close_closesStoreAfterThread() throws IOException {
        Counted store = new Counted(NEVER, NEVER);
        try (WalkAhead walk = new WalkAhead(store)) {
            requireNext(walk, 0);
        }
        assertTrue(store.closed);
    }

    @Test
    void compareTo_followsStoreOrder() throws IOException {
        ExternalSort sort = new ExternalSort(folder, 1 << 20);
        byte[] same = keyOf(5);
        sort.add(KeyKind.DOMAIN.wireCode(), same, 1, same.length, 0, 0);
        try (WalkAhead walk = new WalkAhead(new Counted(11, NEVER));
                KeyCursor key = sort.finish(new BitSet(), done -> {}).open()) {
            assertTrue(key.next());
            for (int i = 0; i < 11; i++) {
                assertTrue(walk.next());
                assertEquals(Integer.compare(i, 5), Integer.signum(walk.compareTo(key)));
            }
        }
    }
}
