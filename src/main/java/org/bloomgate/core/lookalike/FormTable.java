package org.bloomgate.core.lookalike;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.OptionalInt;
import org.bloomgate.core.bloom.KeyHash;
import org.bloomgate.core.bloom.ScalableFilter;

/// A map from forms to numbers, by a seeded 64-bit hash: a filter, at which the lookup of nearly every name
/// ends, and a table of hashes. 18 to 35 bytes a form. It is filled once, and then may be read by any thread.
///
/// Two forms have the same hash once in 2^64 pairs, and such a pair cannot be found without the seed.
final class FormTable {
    private static final double RATE = 1e-4;
    private static final int FIRST_SLOTS = 1 << 10;

    private final KeyHash hash;
    private final ScalableFilter filter;
    private long[] hashes = new long[FIRST_SLOTS];
    private int[] numbers = new int[FIRST_SLOTS];
    private int size;

    /// @param usualForms the approximate number of forms; with more, it is slower
    FormTable(long seed, long usualForms) {
        filter = new ScalableFilter(usualForms, RATE);
        hash = new KeyHash(seed);
    }

    /// Adds a form; false if it was there already, and then it keeps its first number.
    boolean add(String form, int number) {
        if (size * 2 > hashes.length) {
            grow();
        }
        long key = key(form);
        int slot = slot(key);
        if (hashes[slot] == key) {
            return false;
        }
        hashes[slot] = key;
        numbers[slot] = number;
        size++;
        filter.add(key);
        return true;
    }

    OptionalInt find(String form) {
        long key = key(form);
        if (!filter.mightContain(key)) {
            return OptionalInt.empty();
        }
        int slot = slot(key);
        return hashes[slot] == key ? OptionalInt.of(numbers[slot]) : OptionalInt.empty();
    }

    /// The hash of a form, but never 0, which marks an empty slot.
    private long key(String form) {
        byte[] bytes = form.getBytes(StandardCharsets.UTF_8);
        long key = hash.hash(bytes, 0, bytes.length);
        return key == 0 ? 1 : key;
    }

    /// The slot that has the key, or where it would be added.
    private int slot(long key) {
        int slot = (int) key & (hashes.length - 1);
        while (hashes[slot] != 0 && hashes[slot] != key) {
            slot = (slot + 1) & (hashes.length - 1);
        }
        return slot;
    }

    private void grow() {
        long[] oldHashes = hashes;
        int[] oldNumbers = numbers;
        hashes = new long[oldHashes.length * 2];
        numbers = Arrays.copyOf(oldNumbers, hashes.length);
        for (int i = 0; i < oldHashes.length; i++) {
            if (oldHashes[i] != 0) {
                int slot = slot(oldHashes[i]);
                hashes[slot] = oldHashes[i];
                numbers[slot] = oldNumbers[i];
            }
        }
    }

    int size() {
        return size;
    }
}
