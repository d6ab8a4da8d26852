package org.bloomgate.lookup.tier;

import java.util.Arrays;
import java.util.Collection;
import org.bloomgate.core.bloom.KeyHash;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyBatch;

/// A small exact set of keys: an open table of 64-bit hashes at most half full, with the bytes compared on a hit, so
/// that a key that is not there costs a hash and one read. Below some 100,000 keys that beats a filter, and a hit
/// needs no further lookup.
///
/// Immutable and thread-safe; a lookup allocates nothing. The seed keeps senders from making keys that collide.
final class KeyTable {
    /// Spreads kind codes over the hash: 2^64 divided by the golden ratio.
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private final KeyHash hash;

    /// 0 in an empty slot.
    private final long[] hashes;

    private final byte[][] bytes;
    private final int[] kindCodes;
    private int kinds;

    KeyTable(Collection<Key> keys, long seed) {
        hash = new KeyHash(seed);
        int size = Integer.highestOneBit(Math.max(4, keys.size() * 4 - 1));
        hashes = new long[size];
        bytes = new byte[size][];
        kindCodes = new int[size];
        keys.forEach(this::add);
    }

    private void add(Key key) {
        byte[] whole = key.bytes();
        int kindCode = key.kind().wireCode();
        long hashed = hash(whole, 0, whole.length, kindCode);
        int slot = (int) hashed & (hashes.length - 1);
        while (hashes[slot] != 0) {
            slot = (slot + 1) & (hashes.length - 1);
        }
        hashes[slot] = hashed;
        bytes[slot] = whole;
        kindCodes[slot] = kindCode;
        kinds |= 1 << kindCode;
    }

    private long hash(byte[] from, int start, int end, int kindCode) {
        long hashed = hash.hash(from, start, end) + kindCode * SPREAD;
        return hashed == 0 ? SPREAD : hashed;
    }

    boolean contains(KeyBatch batch, int key) {
        int kindCode = batch.kindCode(key);
        if ((kinds >>> kindCode & 1) == 0) {
            return false;
        }
        byte[] batchBytes = batch.bytes();
        int start = batch.start(key);
        int end = batch.end(key);
        long hashed = hash(batchBytes, start, end, kindCode);
        for (int slot = (int) hashed & (hashes.length - 1);
                hashes[slot] != 0;
                slot = (slot + 1) & (hashes.length - 1)) {
            if (hashes[slot] == hashed
                    && kindCodes[slot] == kindCode
                    && Arrays.equals(bytes[slot], 0, bytes[slot].length, batchBytes, start, end)) {
                return true;
            }
        }
        return false;
    }
}
