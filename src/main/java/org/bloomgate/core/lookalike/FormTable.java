package org.bloomgate.core.lookalike;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.OptionalInt;
import org.bloomgate.core.bloom.KeyHash;
import org.bloomgate.core.bloom.ScalableFilter;

/// Forms by a seeded 64-bit hash, each with a number: a filter in front, which nearly every name ends at, and a table
/// of hashes behind it. 18 to 35 bytes a form. Filled once, then read by any thread.
///
/// Two forms share a hash once in 2^64 pairs, and such a pair cannot be found without the seed.
final class FormTable {
    private static final double RATE = 1e-4;
    private static final int FIRST_SLOTS = 1 << 10;

    private final KeyHash hash;
    private final ScalableFilter filter;
    private long[] hashes = new long[FIRST_SLOTS];
    private int[] numbers = new int[FIRST_SLOTS];
    private int size;

    /// @param usualForms this many at about; more make it slower
    FormTable(long seed, long usualForms) {
        filter = new ScalableFilter(usualForms, RATE);
        hash = new KeyHash(seed);
    }

    /// True when the form is new: the first number it gets it keeps.
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

    /// Never 0, which is an empty slot.
    private long key(String form) {
        byte[] bytes = form.getBytes(StandardCharsets.UTF_8);
        long key = hash.hash(bytes, 0, bytes.length);
        return key == 0 ? 1 : key;
    }

    /// Where the key is, or would be.
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
