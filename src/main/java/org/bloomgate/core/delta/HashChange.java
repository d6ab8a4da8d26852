package org.bloomgate.core.delta;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// The difference between two [HashList]s: the positions of removed hashes, then the added ones.
///
/// Bytes: `BGHL` and the version, 1; the number of hashes before and after, 8 each; the number of canaries, 1,
/// each with its length, 1; the removed positions and the added hashes, each a [RiceList]. Of the previous list
/// it contains only the length: if it is applied to another list, the result is another filter, whose digest is
/// in no manifest.
public final class HashChange {
    private static final byte[] MAGIC = "BGHL\1".getBytes(StandardCharsets.ISO_8859_1);
    private static final int MAX_CANARIES = 16;

    private final long before;
    private final long after;
    private final List<byte[]> canaries;

    /// Positions in the list before, ascending.
    private final long[] removed;

    /// Ascending as unsigned numbers.
    private final long[] added;

    private HashChange(long before, long after, List<byte[]> canaries, long[] removed, long[] added) {
        this.before = before;
        this.after = after;
        this.canaries = canaries;
        this.removed = removed;
        this.added = added;
    }

    /// The shortest change from one list to another.
    public static HashChange between(HashList before, HashList now) {
        long[] old = before.hashes();
        long[] hashes = now.hashes();
        Numbers removed = new Numbers();
        Numbers added = new Numbers();
        int at = 0;
        for (int i = 0; i < old.length; i++) {
            while (at < hashes.length && Long.compareUnsigned(hashes[at], old[i]) < 0) {
                added.add(hashes[at++]);
            }
            if (at < hashes.length && hashes[at] == old[i]) {
                at++;
            } else {
                removed.add(i);
            }
        }
        while (at < hashes.length) {
            added.add(hashes[at++]);
        }
        return new HashChange(old.length, hashes.length, now.canaries(), removed.all(), added.all());
    }

    /// A whole list, as the change since the empty one.
    static HashChange whole(HashList list) {
        return new HashChange(0, list.hashes().length, list.canaries(), new long[0], list.hashes());
    }

    /// This change and the next one in one step, equal to [#between] for the two lists. Empty if the result
    /// cannot be determined without the list before this change, because an added hash may be one that was
    /// removed.
    ///
    /// @param next the change of the list `middle`
    /// @param middle the list after this change
    public Optional<HashChange> then(HashChange next, HashList middle) throws DeltaRefusedException {
        long[] hashes = middle.hashes();
        require(after == hashes.length && next.before == hashes.length, "is of other lists");
        int[] come = places(added, hashes);
        Numbers places = new Numbers();
        boolean[] gone = new boolean[added.length];
        int earlier = 0;
        int skipped = 0;
        for (long place : next.removed) {
            while (earlier < come.length && come[earlier] < place) {
                earlier++;
            }
            if (earlier < come.length && come[earlier] == place) {
                gone[earlier] = true;
            } else {
                long stayed = place - earlier;
                while (skipped < removed.length && removed[skipped] - skipped <= stayed) {
                    skipped++;
                }
                places.add(stayed + skipped);
            }
        }
        return mayRestore(next.added, hashes)
                ? Optional.empty()
                : Optional.of(new HashChange(
                        before, next.after, next.canaries, merged(removed, places.all()), added(gone, next.added)));
    }

    /// Whether one of these hashes, which are not in the middle list, may be one that this change removed.
    private boolean mayRestore(long[] coming, long[] middle) throws DeltaRefusedException {
        int earlier = 0;
        int skipped = 0;
        for (long hash : coming) {
            int found = search(middle, hash);
            require(found < 0, "adds what is there");
            while (earlier < added.length && Long.compareUnsigned(added[earlier], hash) < 0) {
                earlier++;
            }
            long stayed = -found - 1L - earlier;
            while (skipped < removed.length && removed[skipped] - skipped < stayed) {
                skipped++;
            }
            if (skipped < removed.length && removed[skipped] - skipped == stayed) {
                return true;
            }
        }
        return false;
    }

    /// The positions of some of the hashes of a list in it.
    private static int[] places(long[] some, long[] list) throws DeltaRefusedException {
        int[] places = new int[some.length];
        for (int i = 0; i < some.length; i++) {
            places[i] = search(list, some[i]);
            require(places[i] >= 0, "adds what is not there");
        }
        return places;
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

    private long[] added(boolean[] gone, long[] coming) {
        Numbers staying = new Numbers();
        for (int i = 0; i < added.length; i++) {
            if (!gone[i]) {
                staying.add(added[i]);
            }
        }
        return merged(staying.all(), coming);
    }

    /// Merges two ascending arrays without a number in common.
    private static long[] merged(long[] some, long[] others) {
        long[] all = new long[some.length + others.length];
        int one = 0;
        int other = 0;
        for (int i = 0; i < all.length; i++) {
            boolean first =
                    other == others.length || (one < some.length && Long.compareUnsigned(some[one], others[other]) < 0);
            all[i] = first ? some[one++] : others[other++];
        }
        return all;
    }

    public byte[] bytes() {
        byte[] places = RiceList.encode(removed, removed.length);
        byte[] hashes = RiceList.encode(added, added.length);
        int ofCanaries = canaries.stream().mapToInt(key -> 1 + key.length).sum();
        ByteBuffer bytes =
                ByteBuffer.allocate(MAGIC.length + 2 * Long.BYTES + 1 + ofCanaries + places.length + hashes.length);
        bytes.put(MAGIC).putLong(before).putLong(after).put((byte) canaries.size());
        canaries.forEach(key -> bytes.put((byte) key.length).put(key));
        return bytes.put(places).put(hashes).array();
    }

    /// @throws DeltaRefusedException if these bytes are not a change
    public static HashChange read(byte[] bytes) throws DeltaRefusedException {
        return read(bytes, HashList.MAX_HASHES);
    }

    /// @param places the greatest length of the list that is changed
    static HashChange read(byte[] bytes, int places) throws DeltaRefusedException {
        ByteBuffer from = ByteBuffer.wrap(bytes);
        require(from.remaining() > MAGIC.length + 2 * Long.BYTES, "ends too early");
        byte[] magic = new byte[MAGIC.length];
        from.get(magic);
        require(Arrays.equals(magic, MAGIC), "no list of hashes");
        long before = from.getLong();
        long after = from.getLong();
        require(before >= 0 && before <= places, "is of a list of " + before + " hashes, at most " + places);
        require(after >= 0 && after <= HashList.MAX_HASHES, after + " hashes, at most " + HashList.MAX_HASHES);
        List<byte[]> keys = canaries(from);
        long[] removed = RiceList.decode(from, before);
        long[] added = RiceList.decode(from, after);
        require(!from.hasRemaining(), "goes on behind its end");
        require(before - removed.length + added.length == after, "does not come to " + after + " hashes");
        boolean inside = removed.length == 0 || Long.compareUnsigned(removed[removed.length - 1], before) < 0;
        require(inside, "removes what is not there");
        return new HashChange(before, after, keys, removed, added);
    }

    private static List<byte[]> canaries(ByteBuffer from) throws DeltaRefusedException {
        int count = from.get() & 0xff;
        require(count <= MAX_CANARIES, count + " keys to ask for");
        List<byte[]> keys = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            require(from.hasRemaining(), "ends too early");
            byte[] key = new byte[from.get() & 0xff];
            require(from.remaining() >= key.length, "ends too early");
            from.get(key);
            keys.add(key);
        }
        return List.copyOf(keys);
    }

    /// Applies this change to a list.
    HashList applyTo(HashList list) throws DeltaRefusedException {
        long[] hashes = list.hashes();
        require(before == hashes.length, "is of a list of " + before + " hashes, this one has " + hashes.length);
        long[] merged = new long[hashes.length - removed.length + added.length];
        int at = 0;
        int gone = 0;
        int come = 0;
        for (int i = 0; i < hashes.length; i++) {
            if (gone < removed.length && removed[gone] == i) {
                gone++;
            } else {
                while (come < added.length && Long.compareUnsigned(added[come], hashes[i]) < 0) {
                    merged[at++] = added[come++];
                }
                require(come == added.length || added[come] != hashes[i], "adds what is there");
                require(at < merged.length, "removes what is not there");
                merged[at++] = hashes[i];
            }
        }
        require(gone == removed.length, "removes what is not there");
        System.arraycopy(added, come, merged, at, added.length - come);
        return new HashList(merged, canaries);
    }

    private static void require(boolean holds, String otherwise) throws DeltaRefusedException {
        if (!holds) {
            throw new DeltaRefusedException(otherwise);
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
