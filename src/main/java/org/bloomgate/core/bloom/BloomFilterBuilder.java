package org.bloomgate.core.bloom;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/// Inserts keys into a filter file: a segment that the caller mapped read-write or took from the heap.
///
/// Only [#finish()] writes the header, so that an unfinished file is not a filter. Not thread-safe.
public final class BloomFilterBuilder implements AutoCloseable {
    private final MemorySegment file;
    private final FilterParameters parameters;
    private final KeyHash hash;
    private final Insertion insertion;
    private final Arena arena;
    private final List<byte[]> canaries = new ArrayList<>();
    private long inserted;
    private boolean finished;

    /// A filter whose hashes wait in memory, where its layout wants them all at once.
    ///
    /// @param file as below
    public BloomFilterBuilder(MemorySegment file, FilterParameters parameters) {
        this(ofRightLength(file, parameters), parameters, Arena.ofShared());
    }

    private BloomFilterBuilder(MemorySegment file, FilterParameters parameters, Arena arena) {
        this(file, parameters, arena.allocate(parameters.sizing().waitingBytes(), Long.BYTES), arena);
    }

    /// @param file [FilterParameters#fileBytes()] bytes, all zero: native, mapped or an array
    /// @param waiting [FilterSizing#waitingBytes()] bytes for hashes until [#finish()]
    /// @param arena of `waiting` alone, shared; closed by [#finish()]
    public BloomFilterBuilder(MemorySegment file, FilterParameters parameters, MemorySegment waiting, Arena arena) {
        this.file = ofRightLength(file, parameters);
        this.parameters = parameters;
        this.arena = arena;
        this.hash = new KeyHash(parameters.seed());
        FilterSizing sizing = parameters.sizing();
        MemorySegment body = file.asSlice(FilterFormat.HEADER_BYTES);
        this.insertion = switch (sizing.layout()) {
            case TWO_LINE -> new TwoLineInsertion(body, sizing);
            case LINE_FUSE -> new FuseInsertion(body, waiting, sizing);
        };
    }

    private static MemorySegment ofRightLength(MemorySegment file, FilterParameters parameters) {
        long bodyBytes = parameters.sizing().bodyBytes();
        if (file.byteSize() != parameters.fileBytes() || bodyBytes > FilterFormat.MAX_BODY_BYTES) {
            throw new IllegalArgumentException("a segment of " + file.byteSize() + " bytes for a filter of "
                    + parameters.fileBytes() + ", its body at most " + FilterFormat.MAX_BODY_BYTES);
        }
        return file;
    }

    /// The hash with which keys must be inserted and looked up.
    public KeyHash hash() {
        return hash;
    }

    /// Inserts many keys at once from now on, which costs a fraction of inserting them as they come. The file is the
    /// same.
    ///
    /// @param memoryBytes of heap for that
    /// @param workers insert them while [#add] or [#finish()] waits
    /// @return this
    public BloomFilterBuilder inBulk(long memoryBytes, Workers workers) {
        insertion.inBulk(memoryBytes, workers);
        return this;
    }

    /// Inserts a key. The smallest ones, by unsigned bytes, become the canaries of the file, whatever the order.
    ///
    /// @return its hash
    public long add(byte[] bytes, int from, int to) {
        if (to - from <= FilterFormat.MAX_CANARY_BYTES && isAmongSmallest(bytes, from, to)) {
            addCanary(Arrays.copyOfRange(bytes, from, to));
        }
        long keyHash = hash.hash(bytes, from, to);
        add(keyHash);
        return keyHash;
    }

    /// Makes a key a canary that is inserted by its hash alone.
    public void canary(byte[] key) {
        addCanary(key.clone());
    }

    /// The canaries of the file, as far as keys were inserted.
    public List<byte[]> canaries() {
        return List.copyOf(canaries);
    }

    private boolean isAmongSmallest(byte[] bytes, int from, int to) {
        if (canaries.size() < FilterFormat.MAX_CANARIES) {
            return true;
        }
        byte[] largest = canaries.getLast();
        return Arrays.compareUnsigned(bytes, from, to, largest, 0, largest.length) < 0;
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
    ///
    /// @throws FilterFullException here or at the end, when the layout takes no more keys than it was made for
    public void add(long keyHash) {
        requireUnfinished();
        inserted++;
        insertion.add(keyHash);
    }

    /// Writes the header, its checksum last, and gives the view to ask. Nothing can be inserted afterwards. The
    /// caller forces a mapped segment to disk.
    public BloomFilter finish() {
        requireUnfinished();
        insertion.finish();
        close();
        finished = true;
        FilterHeader header = new FilterHeader(parameters, inserted, setBits(), canaries);
        FilterFormat.writeHeader(file, header);
        return new BloomFilter(file.asReadOnly(), header);
    }

    /// Releases the memory for hashes of an unfinished filter.
    @Override
    public void close() {
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }

    private long setBits() {
        long bits = 0;
        long end = FilterFormat.HEADER_BYTES + parameters.sizing().lineBytes();
        for (long at = FilterFormat.HEADER_BYTES; at < end; at += Long.BYTES) {
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
