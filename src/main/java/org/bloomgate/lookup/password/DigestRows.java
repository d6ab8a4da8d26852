package org.bloomgate.lookup.password;

import java.util.Arrays;
import java.util.Map;
import java.util.OptionalLong;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;

/// Digests of one length with their counts, in ascending order, packed: a row costs its digest and eight bytes. Not
/// thread-safe.
public final class DigestRows {
    private final int digestBytes;
    private byte[] digests;
    private long[] counts;
    private int size;

    DigestRows(int digestBytes, int capacity) {
        this.digestBytes = digestBytes;
        digests = new byte[digestBytes * capacity];
        counts = new long[capacity];
    }

    public int size() {
        return size;
    }

    /// Appends a row, whose digest must come after all others.
    void add(byte[] bytes, int from, long count) {
        if (size == counts.length) {
            int capacity = Math.max(16, 2 * size);
            digests = Arrays.copyOf(digests, digestBytes * capacity);
            counts = Arrays.copyOf(counts, capacity);
        }
        System.arraycopy(bytes, from, digests, size * digestBytes, digestBytes);
        counts[size++] = count;
    }

    /// Returns all rows of both; a digest in both has the higher count.
    DigestRows merge(DigestRows other) {
        DigestRows merged = new DigestRows(digestBytes, size + other.size);
        int here = 0;
        int there = 0;
        while (here < size && there < other.size) {
            int order = compare(here, other, there);
            if (order < 0) {
                merged.addFrom(this, here++);
            } else if (order > 0) {
                merged.addFrom(other, there++);
            } else {
                merged.add(digests, here * digestBytes, Math.max(counts[here++], other.counts[there++]));
            }
        }
        while (here < size) {
            merged.addFrom(this, here++);
        }
        while (there < other.size) {
            merged.addFrom(other, there++);
        }
        return merged;
    }

    /// Returns the rows with other counts for some of them.
    ///
    /// @param newCounts by digest; a row whose new count is empty is left out
    DigestRows withCounts(Map<Key, OptionalLong> newCounts) {
        if (newCounts.isEmpty()) {
            return this;
        }
        DigestRows rows = new DigestRows(digestBytes, size);
        for (int row = 0; row < size; row++) {
            Key key = Key.ofBytes(KeyKind.PASSWORD, digests, row * digestBytes, digestBytes);
            OptionalLong count = newCounts.getOrDefault(key, OptionalLong.of(counts[row]));
            if (count.isPresent()) {
                rows.add(digests, row * digestBytes, count.getAsLong());
            }
        }
        return rows;
    }

    private int compare(int row, DigestRows other, int otherRow) {
        int mine = row * digestBytes;
        int its = otherRow * digestBytes;
        return Arrays.compareUnsigned(digests, mine, mine + digestBytes, other.digests, its, its + digestBytes);
    }

    private void addFrom(DigestRows other, int row) {
        add(other.digests, row * digestBytes, other.counts[row]);
    }

    /// One byte of a digest.
    int byteAt(int row, int position) {
        return digests[row * digestBytes + position] & 0xff;
    }

    public int digestBytes() {
        return digestBytes;
    }

    long count(int row) {
        return counts[row];
    }
}
