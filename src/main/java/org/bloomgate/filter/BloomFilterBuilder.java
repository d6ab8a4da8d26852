package org.bloomgate.filter;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/// Inserts keys into a filter file: a segment that somebody else mapped read-write or took from the heap.
///
/// The header is written by [#finish()] alone, so that a file left half built is no filter. Not thread-safe.
public final class BloomFilterBuilder {
    /// The hash, and the words of both lines beside it.
    private static final int BYTES_PER_PENDING_KEY = 3 * Long.BYTES;

    /// Beyond that more keys at once gain nothing; their words fit an array.
    private static final int MAX_PENDING = 1 << 26;

    private final MemorySegment file;
    private final MemorySegment body;
    private final FilterParameters parameters;
    private final KeyHash hash;
    private final long lines;
    private final int bitsPerLine;
    private final List<byte[]> canaries = new ArrayList<>();
    private Optional<RadixInsertion> bulk = Optional.empty();
    private long[] pending = new long[0];
    private int waiting;
    private long inserted;
    private boolean finished;

    /// @param file [FilterParameters#fileBytes()] octets, all zero: native, mapped or a `byte[]`
    public BloomFilterBuilder(MemorySegment file, FilterParameters parameters) {
        this.file = file;
        this.parameters = parameters;
        this.hash = new KeyHash(parameters.seed());
        this.lines = parameters.sizing().lines();
        this.bitsPerLine = parameters.sizing().bitsPerKey() / 2;
        if (file.byteSize() != parameters.fileBytes() || lines > FilterFormat.MAX_LINES) {
            throw new IllegalArgumentException("a segment of " + file.byteSize() + " octets for a filter of "
                    + parameters.fileBytes() + " in " + lines + " lines, at most " + FilterFormat.MAX_LINES);
        }
        this.body = file.asSlice(FilterFormat.HEADER_BYTES);
    }

    /// The hash that keys must be inserted and asked with.
    public KeyHash hash() {
        return hash;
    }

    /// Inserts many keys at once from now on, in the order of their lines, which costs a fraction of inserting them
    /// as they come. The bits are the same.
    ///
    /// @param memoryBytes of heap for keys that wait, 24 octets each
    /// @param workers insert them while [#add] waits
    /// @return this
    public BloomFilterBuilder inBulk(long memoryBytes, Workers workers) {
        insertPending();
        if (RadixInsertion.pays(parameters.sizing())) {
            long keys = Math.clamp(parameters.sizing().capacity(), 1, memoryBytes / BYTES_PER_PENDING_KEY);
            pending = new long[Math.clamp(keys, 1, MAX_PENDING)];
            bulk = Optional.of(new RadixInsertion(body, parameters.sizing(), pending.length, workers));
        }
        return this;
    }

    /// Inserts a key. The smallest ones, by unsigned octets, become the canaries of the file, whatever the order.
    ///
    /// @return its hash
    public long add(byte[] octets, int from, int to) {
        if (to - from <= FilterFormat.MAX_CANARY_BYTES && isAmongSmallest(octets, from, to)) {
            addCanary(Arrays.copyOfRange(octets, from, to));
        }
        long keyHash = hash.hash(octets, from, to);
        add(keyHash);
        return keyHash;
    }

    /// Makes a key a canary that is inserted by its hash alone.
    public void canary(byte[] key) {
        addCanary(key.clone());
    }

    private boolean isAmongSmallest(byte[] octets, int from, int to) {
        if (canaries.size() < FilterFormat.MAX_CANARIES) {
            return true;
        }
        byte[] largest = canaries.getLast();
        return Arrays.compareUnsigned(octets, from, to, largest, 0, largest.length) < 0;
    }

    private void addCanary(byte[] key) {
        int at = Collections.binarySearch(canaries, key, Arrays::compareUnsigned);
        if (at < 0) {
            canaries.add(-at - 1, key);
            if (canaries.size() > FilterFormat.MAX_CANARIES) {
                canaries.removeLast();
            }
        }
    }

    /// As [#add(byte\[\], int, int)] for a key that is hashed already; it never becomes a canary.
    public void add(long keyHash) {
        requireUnfinished();
        inserted++;
        if (pending.length > 0) {
            pending[waiting++] = keyHash;
            if (waiting == pending.length) {
                insertPending();
            }
            return;
        }
        long second = TwoLine.second(keyHash);
        TwoLine.set(body, TwoLine.line(keyHash, lines), keyHash, bitsPerLine);
        TwoLine.set(body, TwoLine.line(second, lines), second, bitsPerLine);
    }

    private void insertPending() {
        bulk.ifPresent(insertion -> insertion.insert(pending, waiting));
        waiting = 0;
    }

    /// Writes the header, its checksum last, and gives the view to ask. Nothing can be inserted afterwards. The
    /// caller forces a mapped segment to disk.
    public BloomFilter finish() {
        requireUnfinished();
        insertPending();
        finished = true;
        bulk = Optional.empty();
        pending = new long[0];
        FilterHeader header = new FilterHeader(parameters, inserted, setBits(), canaries);
        FilterFormat.writeHeader(file, header);
        return new BloomFilter(file.asReadOnly(), header);
    }

    private long setBits() {
        long bits = 0;
        for (long at = FilterFormat.HEADER_BYTES; at < file.byteSize(); at += Long.BYTES) {
            bits += Long.bitCount(file.get(TwoLine.WORD, at));
        }
        return bits;
    }

    private void requireUnfinished() {
        if (finished) {
            throw new IllegalStateException("the filter is finished");
        }
    }
}
