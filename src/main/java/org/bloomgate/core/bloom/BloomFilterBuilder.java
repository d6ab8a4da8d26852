package org.bloomgate.core.bloom;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;

/// Inserts keys into a filter file: a segment that the caller has mapped read-write, or one on the heap.
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

    /// A builder that keeps the hashes in memory if the layout needs all of them at once.
    ///
    /// @param file as below
    public BloomFilterBuilder(MemorySegment file, FilterParameters parameters) {
        this(requireLength(file, parameters), parameters, Arena.ofShared());
    }

    private BloomFilterBuilder(MemorySegment file, FilterParameters parameters, Arena arena) {
        this(file, parameters, arena.allocate(parameters.sizing().waitingBytes(), Long.BYTES), arena);
    }

    /// @param file [FilterParameters#fileBytes()] bytes, all zero: native, mapped or an array
    /// @param waiting [FilterSizing#waitingBytes()] bytes for the hashes until [#finish()]
    /// @param arena of `waiting` only, shared; closed by [#finish()]
    public BloomFilterBuilder(MemorySegment file, FilterParameters parameters, MemorySegment waiting, Arena arena) {
        this(file, parameters, arena, body -> switch (parameters.sizing().layout()) {
            case TWO_LINE -> new TwoLineInsertion(body, parameters.sizing());
            case LINE_FUSE -> new FuseInsertion(body, waiting, parameters.sizing());
        });
    }

    private BloomFilterBuilder(
            MemorySegment file,
            FilterParameters parameters,
            Arena arena,
            Function<MemorySegment, Insertion> insertion) {
        this.file = requireLength(file, parameters);
        this.parameters = parameters;
        this.arena = arena;
        this.hash = new KeyHash(parameters.seed());
        this.insertion = insertion.apply(file.asSlice(FilterFormat.HEADER_BYTES));
    }

    /// A builder to which hashes are added in ascending order, as unsigned numbers, so that the layout needs the
    /// memory of a million keys at most.
    ///
    /// @param file as above
    public static BloomFilterBuilder ofSortedHashes(MemorySegment file, FilterParameters parameters) {
        return new BloomFilterBuilder(file, parameters, Arena.ofConfined(), body -> switch (parameters
                .sizing()
                .layout()) {
            case TWO_LINE -> new TwoLineInsertion(body, parameters.sizing());
            case LINE_FUSE -> new SortedFuseInsertion(body, parameters.sizing());
        });
    }

    private static MemorySegment requireLength(MemorySegment file, FilterParameters parameters) {
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

    /// Inserts keys in bulk from now on, which takes a fraction of the time of single insertions. The resulting
    /// file is the same.
    ///
    /// @param memoryBytes heap for pending keys
    /// @param workers insert the keys while [#add] or [#finish()] waits
    /// @return this
    public BloomFilterBuilder inBulk(long memoryBytes, Workers workers) {
        insertion.inBulk(memoryBytes, workers);
        return this;
    }

    /// Inserts a key. The smallest keys, by unsigned bytes, become the canaries of the file, in whatever order
    /// keys are inserted.
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

    /// Adds a canary, whose key is inserted only by its hash.
    public void canary(byte[] key) {
        addCanary(key.clone());
    }

    /// The canaries of the keys inserted so far.
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

    /// Like [#add(byte\[\], int, int)], for a key that is already hashed; it does not become a canary.
    ///
    /// @throws FilterFullException here or in [#finish()], if the layout has a fixed capacity that is exceeded
    public void add(long keyHash) {
        requireUnfinished();
        inserted++;
        insertion.add(keyHash);
    }

    /// Writes the header, its checksum last, and returns the view for queries. No key can be inserted
    /// afterwards. The caller forces a mapped segment to disk.
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
