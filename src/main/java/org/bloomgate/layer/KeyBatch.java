package org.bloomgate.layer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bloomgate.exact.StoredListings;
import org.bloomgate.sort.KeyCursor;
import org.bloomgate.sort.SortBuffer;

/// Keys with what is stored of them, handed from one thread to another. The listings of neighbours are kept once where
/// they are the same, which most are. Reused from batch to batch; not thread-safe.
final class KeyBatch {
    /// Octets of a key. Where keys are longer on average, the room grows.
    private static final int ROOM_BYTES = 32;

    private final int[] ends;
    private final int[] listings;
    private final List<StoredListings> distinct = new ArrayList<>();
    private byte[] octets;
    private int size;
    private int used;

    /// How many of `distinct` hold listings of this batch.
    private int known;

    KeyBatch(int maxKeys) {
        ends = new int[maxKeys];
        listings = new int[maxKeys];
        octets = new byte[ROOM_BYTES * maxKeys];
    }

    void clear() {
        size = 0;
        used = 0;
        known = 0;
    }

    int size() {
        return size;
    }

    boolean isFull() {
        return size == ends.length;
    }

    /// Adds a key without its listings.
    void add(KeyCursor key) {
        int end = used + key.end();
        if (end > octets.length) {
            octets = Arrays.copyOf(octets, Math.max(end, octets.length) + SortBuffer.MAX_KEY_BYTES);
        }
        System.arraycopy(key.octets(), 0, octets, used, key.end());
        used = end;
        ends[size++] = end;
    }

    /// In a batch in which every key has listings.
    void add(KeyCursor key, StoredListings stored) {
        if (known == 0 || !distinct.get(known - 1).isSameAs(stored)) {
            if (known == distinct.size()) {
                distinct.add(new StoredListings());
            }
            distinct.get(known++).set(stored);
        }
        listings[size] = known - 1;
        add(key);
    }

    int kindCode(int key) {
        return octets[start(key)] & 0xff;
    }

    /// The buffer that holds the octets of all keys, each of them between [#from] and [#to].
    byte[] octets() {
        return octets;
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
