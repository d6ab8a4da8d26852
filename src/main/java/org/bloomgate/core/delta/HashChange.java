package org.bloomgate.core.delta;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// The difference between two [HashList]s: the positions of removed hashes, then the added hashes. Its format:
///
/// | field | bytes |
/// |---|---|
/// | magic `BGHL`, then the version, 1 | 5 |
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
    private static final byte[] MAGIC = "BGHL\1".getBytes(StandardCharsets.ISO_8859_1);
    private static final int MAX_CANARIES = 16;

    private final long sizeBefore;
    private final long sizeAfter;
    private final List<byte[]> canaries;

    /// Positions in the list before, ascending.
    private final long[] removedPositions;

    /// Ascending as unsigned numbers.
    private final long[] addedHashes;

    private HashChange(
            long sizeBefore, long sizeAfter, List<byte[]> canaries, long[] removedPositions, long[] addedHashes) {
        this.sizeBefore = sizeBefore;
        this.sizeAfter = sizeAfter;
        this.canaries = canaries;
        this.removedPositions = removedPositions;
        this.addedHashes = addedHashes;
    }

    /// The shortest change from one list to another.
    public static HashChange between(HashList before, HashList after) {
        long[] oldHashes = before.hashes();
        long[] newHashes = after.hashes();
        Numbers removed = new Numbers();
        Numbers added = new Numbers();
        int at = 0;
        for (int i = 0; i < oldHashes.length; i++) {
            while (at < newHashes.length && Long.compareUnsigned(newHashes[at], oldHashes[i]) < 0) {
                added.add(newHashes[at++]);
            }
            if (at < newHashes.length && newHashes[at] == oldHashes[i]) {
                at++;
            } else {
                removed.add(i);
            }
        }
        while (at < newHashes.length) {
            added.add(newHashes[at++]);
        }
        return new HashChange(oldHashes.length, newHashes.length, after.canaries(), removed.all(), added.all());
    }

    /// A whole list, as the change since the empty one.
    static HashChange fromEmpty(HashList list) {
        return new HashChange(0, list.hashes().length, list.canaries(), new long[0], list.hashes());
    }

    /// This change and the next one in one step, equal to [#between] for the two lists. Empty if the result
    /// cannot be determined without the list before this change, because `next` may add a hash that this change
    /// removed.
    ///
    /// @param next the change of the list `middle`
    /// @param middle the list after this change
    public Optional<HashChange> compose(HashChange next, HashList middle) throws DeltaRefusedException {
        long[] hashes = middle.hashes();
        require(
                sizeAfter == hashes.length && next.sizeBefore == hashes.length,
                "the two changes do not follow each other");
        int[] addedPositions = findPositions(addedHashes, hashes);
        Numbers moreRemoved = new Numbers();
        boolean[] isRemovedAgain = new boolean[addedHashes.length];
        int addedBefore = 0;
        int removedBefore = 0;
        for (long position : next.removedPositions) {
            while (addedBefore < addedPositions.length && addedPositions[addedBefore] < position) {
                addedBefore++;
            }
            if (addedBefore < addedPositions.length && addedPositions[addedBefore] == position) {
                isRemovedAgain[addedBefore] = true;
            } else {
                long positionAmongKept = position - addedBefore;
                while (removedBefore < removedPositions.length
                        && removedPositions[removedBefore] - removedBefore <= positionAmongKept) {
                    removedBefore++;
                }
                moreRemoved.add(positionAmongKept + removedBefore);
            }
        }
        return mayRestore(next.addedHashes, hashes)
                ? Optional.empty()
                : Optional.of(new HashChange(
                        sizeBefore,
                        next.sizeAfter,
                        next.canaries,
                        merge(removedPositions, moreRemoved.all()),
                        mergeAdded(isRemovedAgain, next.addedHashes)));
    }

    /// Whether one of these hashes, which are not in the middle list, may be one that this change removed.
    private boolean mayRestore(long[] nextAdded, long[] middle) throws DeltaRefusedException {
        int addedBefore = 0;
        int removedBefore = 0;
        for (long hash : nextAdded) {
            int found = search(middle, hash);
            require(found < 0, "adds a hash that the list already contains");
            while (addedBefore < addedHashes.length && Long.compareUnsigned(addedHashes[addedBefore], hash) < 0) {
                addedBefore++;
            }
            long positionAmongKept = -found - 1L - addedBefore;
            while (removedBefore < removedPositions.length
                    && removedPositions[removedBefore] - removedBefore < positionAmongKept) {
                removedBefore++;
            }
            if (removedBefore < removedPositions.length
                    && removedPositions[removedBefore] - removedBefore == positionAmongKept) {
                return true;
            }
        }
        return false;
    }

    /// Returns the positions of these hashes in a list that must contain them.
    private static int[] findPositions(long[] hashes, long[] list) throws DeltaRefusedException {
        int[] positions = new int[hashes.length];
        for (int i = 0; i < hashes.length; i++) {
            positions[i] = search(list, hashes[i]);
            require(positions[i] >= 0, "an added hash is not in the list after the change");
        }
        return positions;
    }

    /// Like [Arrays#binarySearch], for unsigned numbers.
    private static int search(long[] list, long hash) {
        int low = 0;
        int high = list.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = Long.compareUnsigned(list[middle], hash);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -low - 1;
    }

    private long[] mergeAdded(boolean[] isRemovedAgain, long[] nextAdded) {
        Numbers kept = new Numbers();
        for (int i = 0; i < addedHashes.length; i++) {
            if (!isRemovedAgain[i]) {
                kept.add(addedHashes[i]);
            }
        }
        return merge(kept.all(), nextAdded);
    }

    /// Merges two ascending arrays without a number in common.
    private static long[] merge(long[] left, long[] right) {
        long[] all = new long[left.length + right.length];
        int leftAt = 0;
        int rightAt = 0;
        for (int i = 0; i < all.length; i++) {
            boolean takesLeft = rightAt == right.length
                    || (leftAt < left.length && Long.compareUnsigned(left[leftAt], right[rightAt]) < 0);
            all[i] = takesLeft ? left[leftAt++] : right[rightAt++];
        }
        return all;
    }

    public byte[] encode() {
        byte[] encodedPositions = RiceList.encode(removedPositions, removedPositions.length);
        byte[] encodedHashes = RiceList.encode(addedHashes, addedHashes.length);
        int canaryBytes = canaries.stream().mapToInt(key -> 1 + key.length).sum();
        ByteBuffer bytes = ByteBuffer.allocate(
                MAGIC.length + 2 * Long.BYTES + 1 + canaryBytes + encodedPositions.length + encodedHashes.length);
        bytes.put(MAGIC).putLong(sizeBefore).putLong(sizeAfter).put((byte) canaries.size());
        canaries.forEach(key -> bytes.put((byte) key.length).put(key));
        return bytes.put(encodedPositions).put(encodedHashes).array();
    }

    /// @throws DeltaRefusedException if these bytes are not a change
    public static HashChange decode(byte[] bytes) throws DeltaRefusedException {
        return decode(bytes, HashList.MAX_HASHES);
    }

    /// @param maxSizeBefore the greatest length of the list that is changed
    static HashChange decode(byte[] bytes, int maxSizeBefore) throws DeltaRefusedException {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        require(in.remaining() > MAGIC.length + 2 * Long.BYTES, "ends too early");
        byte[] magic = new byte[MAGIC.length];
        in.get(magic);
        require(Arrays.equals(magic, MAGIC), "not a hash change of version 1");
        long sizeBefore = in.getLong();
        long sizeAfter = in.getLong();
        require(
                sizeBefore >= 0 && sizeBefore <= maxSizeBefore,
                "is of a list of " + sizeBefore + " hashes, at most " + maxSizeBefore);
        require(
                sizeAfter >= 0 && sizeAfter <= HashList.MAX_HASHES,
                sizeAfter + " hashes, at most " + HashList.MAX_HASHES);
        List<byte[]> canaries = readCanaries(in);
        long[] removedPositions = RiceList.decode(in, sizeBefore);
        long[] addedHashes = RiceList.decode(in, sizeAfter);
        require(!in.hasRemaining(), "has extra bytes at the end");
        require(
                sizeBefore - removedPositions.length + addedHashes.length == sizeAfter,
                "does not result in " + sizeAfter + " hashes");
        boolean isInside = removedPositions.length == 0
                || Long.compareUnsigned(removedPositions[removedPositions.length - 1], sizeBefore) < 0;
        require(isInside, "removes a position beyond the list");
        return new HashChange(sizeBefore, sizeAfter, canaries, removedPositions, addedHashes);
    }

    private static List<byte[]> readCanaries(ByteBuffer in) throws DeltaRefusedException {
        int count = in.get() & 0xff;
        require(count <= MAX_CANARIES, count + " canaries, at most " + MAX_CANARIES);
        List<byte[]> canaries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            require(in.hasRemaining(), "ends too early");
            byte[] canary = new byte[in.get() & 0xff];
            require(in.remaining() >= canary.length, "ends too early");
            in.get(canary);
            canaries.add(canary);
        }
        return List.copyOf(canaries);
    }

    /// Applies this change to a list.
    HashList applyTo(HashList list) throws DeltaRefusedException {
        long[] hashes = list.hashes();
        require(
                sizeBefore == hashes.length,
                "is of a list of " + sizeBefore + " hashes, this one has " + hashes.length);
        long[] merged = new long[hashes.length - removedPositions.length + addedHashes.length];
        int at = 0;
        int nextRemoved = 0;
        int nextAdded = 0;
        for (int i = 0; i < hashes.length; i++) {
            if (nextRemoved < removedPositions.length && removedPositions[nextRemoved] == i) {
                nextRemoved++;
            } else {
                while (nextAdded < addedHashes.length && Long.compareUnsigned(addedHashes[nextAdded], hashes[i]) < 0) {
                    merged[at++] = addedHashes[nextAdded++];
                }
                require(
                        nextAdded == addedHashes.length || addedHashes[nextAdded] != hashes[i],
                        "adds a hash that the list already contains");
                require(at < merged.length, "removes a position beyond the list");
                merged[at++] = hashes[i];
            }
        }
        require(nextRemoved == removedPositions.length, "removes a position beyond the list");
        System.arraycopy(addedHashes, nextAdded, merged, at, addedHashes.length - nextAdded);
        return new HashList(merged, canaries);
    }

    private static void require(boolean condition, String problem) throws DeltaRefusedException {
        if (!condition) {
            throw new DeltaRefusedException(problem);
        }
    }

    /// A growing array of numbers.
    private static final class Numbers {
        private long[] numbers = new long[64];
        private int size;

        void add(long number) {
            if (size == numbers.length) {
                numbers = Arrays.copyOf(numbers, size * 2);
            }
            numbers[size++] = number;
        }

        long[] all() {
            return Arrays.copyOf(numbers, size);
        }
    }
}
