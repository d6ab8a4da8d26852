package org.bloomgate.core.delta;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/// The difference between two [HashList]s: the positions of removed hashes, then the added hashes. Its format:
///
/// | field | bytes |
/// |---|---|
/// | magic `BGHL`, then the version, 2 | 5 |
/// | number of hashes before | 8 |
/// | number of hashes after | 8 |
/// | number of canaries | 1 |
/// | each canary | 1 for its length, then its bytes |
/// | removed positions | a [RiceList] |
/// | added hashes | a [RiceList] |
///
/// A change identifies the previous list only by its length. Applied to another list of that length, it yields
/// a filter whose digest is in no manifest and which is therefore rejected.
public final class HashChange {
    private static final byte[] MAGIC = "BGHL\2".getBytes(StandardCharsets.ISO_8859_1);
    private static final int MAX_CANARIES = 16;
    private static final int SIZE_BEFORE_AT = MAGIC.length;
    private static final int SIZE_AFTER_AT = SIZE_BEFORE_AT + Long.BYTES;
    private static final int CANARIES_AT = SIZE_AFTER_AT + Long.BYTES;

    /// The hashes are below it.
    private static final long ALL_HASHES = -1;

    private static final ValueLayout.OfLong NUMBER = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final long sizeBefore;
    private final long sizeAfter;
    private final List<byte[]> canaries;
    private final RiceList removedPositions;
    private final RiceList addedHashes;

    private HashChange(
            long sizeBefore, long sizeAfter, List<byte[]> canaries, RiceList removedPositions, RiceList addedHashes) {
        this.sizeBefore = sizeBefore;
        this.sizeAfter = sizeAfter;
        this.canaries = canaries;
        this.removedPositions = removedPositions;
        this.addedHashes = addedHashes;
    }

    /// The shortest change from one list to another, counted and not yet written.
    public static Difference between(HashList before, HashList after) throws DeltaRefusedException {
        Counter removed = new Counter();
        Counter added = new Counter();
        compare(before, after, removed, added);
        return new Difference(before, after, removed.count, added.count);
    }

    private static final class Counter implements LongConsumer {
        private long count;

        @Override
        public void accept(long number) {
            count++;
        }
    }

    private static void compare(HashList before, HashList after, LongConsumer removed, LongConsumer added)
            throws DeltaRefusedException {
        NumberCursor old = before.open();
        NumberCursor now = after.open();
        boolean hasNow = now.next();
        for (long position = 0; old.next(); position++) {
            while (hasNow && Long.compareUnsigned(now.number(), old.number()) < 0) {
                added.accept(now.number());
                hasNow = now.next();
            }
            if (hasNow && now.number() == old.number()) {
                hasNow = now.next();
            } else {
                removed.accept(position);
            }
        }
        while (hasNow) {
            added.accept(now.number());
            hasNow = now.next();
        }
    }

    /// @param removed number of hashes
    /// @param added number of hashes
    public record Difference(HashList before, HashList after, long removed, long added) {

        /// The most bytes of the change.
        public long maxBytes() {
            return HashChange.maxBytes(before.size(), removed, added, after.canaries());
        }

        /// Writes the change.
        ///
        /// @param out [#maxBytes()] bytes, all zero
        /// @return the number of bytes
        public long write(MemorySegment out) throws DeltaRefusedException {
            long begin = writeHeader(out);
            RiceList.Writer positions = new RiceList.Writer(out, begin, before.size(), removed);
            long hashesBegin = begin + RiceList.maxBytes(before.size(), removed);
            RiceList.Writer hashes = new RiceList.Writer(out, hashesBegin, ALL_HASHES, added);
            compare(before, after, positions::add, hashes::add);
            long end = positions.finish();
            long hashesBytes = hashes.finish() - hashesBegin;
            MemorySegment.copy(out, hashesBegin, out, end, hashesBytes);
            return end + hashesBytes;
        }

        private long writeHeader(MemorySegment out) {
            MemorySegment.copy(MAGIC, 0, out, ValueLayout.JAVA_BYTE, 0, MAGIC.length);
            out.set(NUMBER, SIZE_BEFORE_AT, before.size());
            out.set(NUMBER, SIZE_AFTER_AT, after.size());
            long at = CANARIES_AT;
            out.set(ValueLayout.JAVA_BYTE, at++, (byte) after.canaries().size());
            for (byte[] canary : after.canaries()) {
                out.set(ValueLayout.JAVA_BYTE, at++, (byte) canary.length);
                MemorySegment.copy(canary, 0, out, ValueLayout.JAVA_BYTE, at, canary.length);
                at += canary.length;
            }
            return at;
        }
    }

    private static long maxBytes(long sizeBefore, long removed, long added, List<byte[]> canaries) {
        return CANARIES_AT
                + 1L
                + canaries.stream().mapToLong(canary -> 1L + canary.length).sum()
                + RiceList.maxBytes(sizeBefore, removed)
                + RiceList.maxBytes(ALL_HASHES, added);
    }

    /// Reads a change, whose numbers are checked while it is applied.
    ///
    /// @param bytes accessible as long as the change is used
    /// @throws DeltaRefusedException if these bytes are not a change
    public static HashChange read(MemorySegment bytes) throws DeltaRefusedException {
        require(bytes.byteSize() > CANARIES_AT, "ends too early");
        require(
                bytes.asSlice(0, MAGIC.length).mismatch(MemorySegment.ofArray(MAGIC)) < 0,
                "not a hash change of version 2");
        long sizeBefore = bytes.get(NUMBER, SIZE_BEFORE_AT);
        long sizeAfter = bytes.get(NUMBER, SIZE_AFTER_AT);
        require(sizeBefore >= 0 && sizeAfter >= 0, "a negative number of hashes");
        List<byte[]> canaries = new ArrayList<>();
        long at = readCanaries(bytes, canaries);
        RiceList removedPositions = RiceList.read(bytes, at, sizeBefore);
        at += removedPositions.bytes();
        RiceList addedHashes = RiceList.read(bytes, at, sizeAfter);
        require(at + addedHashes.bytes() == bytes.byteSize(), "has extra bytes at the end");
        require(
                sizeBefore - removedPositions.count() + addedHashes.count() == sizeAfter,
                "does not result in " + sizeAfter + " hashes");
        return new HashChange(sizeBefore, sizeAfter, List.copyOf(canaries), removedPositions, addedHashes);
    }

    /// Reads the canaries and returns where they end.
    private static long readCanaries(MemorySegment bytes, List<byte[]> canaries) throws DeltaRefusedException {
        int count = Byte.toUnsignedInt(bytes.get(ValueLayout.JAVA_BYTE, CANARIES_AT));
        require(count <= MAX_CANARIES, count + " canaries, at most " + MAX_CANARIES);
        long at = CANARIES_AT + 1L;
        for (int i = 0; i < count; i++) {
            require(at < bytes.byteSize(), "ends too early");
            int length = Byte.toUnsignedInt(bytes.get(ValueLayout.JAVA_BYTE, at++));
            require(length <= bytes.byteSize() - at, "ends too early");
            canaries.add(bytes.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE));
            at += length;
        }
        return at;
    }

    /// Returns the list after this change of another one. Each cursor of it merges the two again.
    ///
    /// @throws DeltaRefusedException if the list has another length than the changed one
    public HashList applyTo(HashList list) throws DeltaRefusedException {
        require(sizeBefore == list.size(), "is of a list of " + sizeBefore + " hashes, this one has " + list.size());
        return new HashList(
                sizeAfter, canaries, () -> new Merge(list.open(), removedPositions.open(), addedHashes.open()));
    }

    private static final class Merge implements NumberCursor {
        private final NumberCursor list;
        private final NumberCursor removed;
        private final NumberCursor added;
        private boolean begun;
        private boolean hasHash;
        private boolean hasRemoved;
        private boolean hasAdded;
        private long position;
        private long hash;

        Merge(NumberCursor list, NumberCursor removed, NumberCursor added) {
            this.list = list;
            this.removed = removed;
            this.added = added;
        }

        @Override
        public boolean next() throws DeltaRefusedException {
            if (!begun) {
                begun = true;
                hasHash = list.next();
                hasRemoved = removed.next();
                hasAdded = added.next();
            }
            while (hasHash && hasRemoved && removed.number() == position) {
                hasRemoved = removed.next();
                advance();
            }
            require(hasHash || !hasRemoved, "removes a position beyond the list");
            int order = !hasAdded ? -1 : !hasHash ? 1 : Long.compareUnsigned(list.number(), added.number());
            require(order != 0, "adds a hash that the list already contains");
            boolean isThere = order < 0 ? hasHash : hasAdded;
            if (isThere && order < 0) {
                hash = list.number();
                advance();
            } else if (isThere) {
                hash = added.number();
                hasAdded = added.next();
            }
            return isThere;
        }

        private void advance() throws DeltaRefusedException {
            position++;
            hasHash = list.next();
        }

        @Override
        public long number() {
            return hash;
        }
    }

    private static void require(boolean condition, String problem) throws DeltaRefusedException {
        if (!condition) {
            throw new DeltaRefusedException(problem);
        }
    }
}
