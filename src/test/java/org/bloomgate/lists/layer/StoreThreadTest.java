package org.bloomgate.lists.layer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lists.sort.ExternalSort;
import org.bloomgate.lists.sort.KeyCursor;
import org.bloomgate.lists.sort.SortBuffer;
import org.bloomgate.lists.sort.SortedKeys;
import org.bloomgate.lookup.store.StoreWriter;
import org.bloomgate.lookup.store.StoredListings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoreThreadTest {
    @TempDir
    private Path folder;

    /// Keeps what it is given, or breaks at a key.
    private static final class Kept implements StoreWriter {
        private final List<String> puts = new ArrayList<>();
        private final StoredListings last = new StoredListings();
        private final int broken;
        private boolean finished;
        private boolean closed;

        Kept(int broken) {
            this.broken = broken;
        }

        @Override
        public void put(KeyKind kind, byte[] bytes, int from, int to, StoredListings listings) throws IOException {
            last.copyFrom(listings);
            put(kind, bytes, from, to);
        }

        @Override
        public void put(KeyKind kind, byte[] bytes, int from, int to) throws IOException {
            if (puts.size() == broken) {
                throw new IOException("disk full");
            }
            puts.add(told(kind.wireCode(), bytes, from, to, last));
        }

        @Override
        public void finish() {
            finished = true;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private static String told(int kind, byte[] bytes, int from, int to, StoredListings listings) {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < listings.size(); i++) {
            all.append(' ').append(listings.feed(i)).append('/').append(listings.firstSeen(i));
        }
        return kind + new String(bytes, from, to - from, StandardCharsets.ISO_8859_1) + all;
    }

    private SortedKeys keys(int count) throws IOException {
        SplittableRandom random = new SplittableRandom(5);
        ExternalSort sort = new ExternalSort(folder, 1 << 20);
        for (int i = 0; i < count; i++) {
            KeyKind kind = i % 3 == 0 ? KeyKind.ADDRESS : KeyKind.DOMAIN;
            String key = "%07d".formatted(i) + "x".repeat(random.nextInt(40));
            sort.add(kind.wireCode(), key.getBytes(StandardCharsets.ISO_8859_1), i % 3, 0);
        }
        return sort.finish(new BitSet(), done -> {});
    }

    private static void listings(KeyCursor key, StoredListings into) {
        into.clear();
        for (int i = 0; i <= key.end() % 3; i++) {
            into.add(i, 100, 200, 0);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, ListingBatch.MAX_KEYS - 1, ListingBatch.MAX_KEYS, ListingBatch.MAX_KEYS + 1, 50_000})
    void keys_arePutInOrderWithListings(int count) throws IOException {
        Kept store = new Kept(-1);
        List<String> expected = new ArrayList<>();
        StoredListings stored = new StoredListings();
        try (KeyCursor key = keys(count).open();
                StoreThread thread = new StoreThread(store)) {
            while (key.next()) {
                listings(key, stored);
                expected.add(told(key.kindCode(), key.bytes(), 1, key.end(), stored));
                thread.put(key, stored);
            }
            thread.finish();
            thread.awaitFinish();
            assertEquals(expected, store.puts);
            assertTrue(store.finished);
        }
        assertTrue(store.closed);
    }

    @Test
    void failureOnThread_isThrownByPut() throws IOException {
        Kept store = new Kept(5000);
        StoredListings stored = new StoredListings();
        stored.add(0, 100, 200, 0);
        try (KeyCursor key = keys(60_000).open();
                StoreThread thread = new StoreThread(store)) {
            IOException broken = assertThrows(IOException.class, () -> {
                while (key.next()) {
                    thread.put(key, stored);
                }
                thread.finish();
            });
            assertEquals("disk full", broken.getMessage());
        }
        assertEquals(5000, store.puts.size());
        assertTrue(store.closed && !store.finished);
    }

    @Test
    void failureOfFinish_isThrownByAwait() throws IOException {
        StoreWriter store = new StoreWriter() {
            @Override
            public void put(KeyKind kind, byte[] bytes, int from, int out, StoredListings listings) {}

            @Override
            public void put(KeyKind kind, byte[] bytes, int from, int out) {}

            @Override
            public void finish() throws IOException {
                throw new IOException("disk full");
            }

            @Override
            public void close() {}
        };
        try (StoreThread thread = new StoreThread(store)) {
            thread.finish();
            assertThrows(IOException.class, thread::awaitFinish);
        }
    }

    @Test
    void longestKeys_fitBatch() throws IOException {
        ExternalSort sort = new ExternalSort(folder, 1 << 20);
        byte[] longest = new byte[SortBuffer.MAX_KEY_BYTES - 1];
        for (int i = 0; i < 40; i++) {
            longest[0] = (byte) i;
            sort.add(KeyKind.URL.wireCode(), longest, 0, 0);
        }
        StoredListings stored = new StoredListings();
        stored.add(0, 100, 200, 0);
        ListingBatch batch = new ListingBatch();
        try (KeyCursor key = sort.finish(new BitSet(), done -> {}).open()) {
            while (key.next()) {
                batch.add(key.bytes(), key.end(), stored);
            }
        }
        assertEquals(40, batch.size());
        assertEquals(39, batch.bytes()[batch.from(39)]);
        assertEquals(longest.length, batch.to(39) - batch.from(39));
        assertTrue(batch.hasSameListings(39));
    }
}
