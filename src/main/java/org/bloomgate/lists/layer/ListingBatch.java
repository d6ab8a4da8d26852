package org.bloomgate.lists.layer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bloomgate.lookup.store.StoredListings;

/// Keys with their listings, passed from one thread to another. Consecutive keys with equal listings, which are
/// most, share one copy of them. Reused from batch to batch; not thread-safe.
final class ListingBatch {
    static final int MAX_KEYS = 1 << 12;

    /// The size of all keys; a batch of long keys is full sooner.
    static final int MAX_BYTES = 1 << 20;

    /// The initial size, which grows if keys are longer on average.
    private static final int INITIAL_BYTES = 32 * MAX_KEYS;

    private final int[] ends = new int[MAX_KEYS];
    private final int[] listings = new int[MAX_KEYS];
    private final List<StoredListings> distinct = new ArrayList<>();
    private byte[] bytes = new byte[INITIAL_BYTES];
    private int size;
    private int usedBytes;

    /// How many elements of `distinct` contain listings of this batch.
    private int distinctCount;

    void clear() {
        size = 0;
        usedBytes = 0;
        distinctCount = 0;
    }

    int size() {
        return size;
    }

    /// Whether no further key may be added.
    boolean isFull() {
        return size == MAX_KEYS || usedBytes >= MAX_BYTES;
    }

    /// @param key begins with the code of its kind
    void add(byte[] key, int length, StoredListings stored) {
        int end = usedBytes + length;
        if (end > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(end, 2 * bytes.length));
        }
        System.arraycopy(key, 0, bytes, usedBytes, length);
        usedBytes = end;
        if (distinctCount == 0 || !distinct.get(distinctCount - 1).isSameAs(stored)) {
            if (distinctCount == distinct.size()) {
                distinct.add(new StoredListings());
            }
            distinct.get(distinctCount++).copyFrom(stored);
        }
        ends[size] = end;
        listings[size++] = distinctCount - 1;
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

    /// Whether the key has the same listings as the previous key of the batch.
    boolean hasSameListings(int key) {
        return key > 0 && listings[key] == listings[key - 1];
    }

    StoredListings listings(int key) {
        return distinct.get(listings[key]);
    }
}
