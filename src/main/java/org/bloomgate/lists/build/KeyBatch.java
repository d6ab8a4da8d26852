package org.bloomgate.lists.build;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bloomgate.lookup.store.StoredListings;

/// Keys with what is stored of them, handed from one thread to another. The listings of neighbours are kept once where
/// they are the same, which most are. Reused from batch to batch; not thread-safe.
final class KeyBatch {
    static final int MAX_KEYS = 1 << 12;

    /// The size of all keys; a batch of long keys is full sooner.
    static final int MAX_BYTES = 1 << 20;

    /// Where keys are longer on average, it grows.
    private static final int ROOM_BYTES = 32 * MAX_KEYS;

    private final int[] ends = new int[MAX_KEYS];
    private final int[] listings = new int[MAX_KEYS];
    private final List<StoredListings> distinct = new ArrayList<>();
    private byte[] bytes = new byte[ROOM_BYTES];
    private int size;
    private int used;

    /// How many of `distinct` hold listings of this batch.
    private int known;

    void clear() {
        size = 0;
        used = 0;
        known = 0;
    }

    int size() {
        return size;
    }

    /// Whether no further key may be added.
    boolean isFull() {
        return size == MAX_KEYS || used >= MAX_BYTES;
    }

    /// @param key begins with the code of its kind
    void add(byte[] key, int length, StoredListings stored) {
        int end = used + length;
        if (end > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(end, 2 * bytes.length));
        }
        System.arraycopy(key, 0, bytes, used, length);
        used = end;
        if (known == 0 || !distinct.get(known - 1).isSameAs(stored)) {
            if (known == distinct.size()) {
                distinct.add(new StoredListings());
            }
            distinct.get(known++).set(stored);
        }
        ends[size] = end;
        listings[size++] = known - 1;
    }

    int kindCode(int key) {
        return bytes[start(key)] & 0xff;
    }

    /// The buffer that holds the bytes of all keys, each of them between [#from] and [#to].
    byte[] bytes() {
        return bytes;
    }

    int from(int key) {
        return start(key) + 1;
    }

    int to(int key) {
        return ends[key];
    }

    private int start(int key) {
        return key == 0 ? 0 : ends[key - 1];
    }

    /// Whether the listings are those of the key before, which is in the batch.
    boolean isAlike(int key) {
        return key > 0 && listings[key] == listings[key - 1];
    }

    StoredListings listings(int key) {
        return distinct.get(listings[key]);
    }
}
