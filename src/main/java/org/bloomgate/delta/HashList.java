package org.bloomgate.delta;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The sorted hashes of the keys of a filter, and the few whole keys that stand in it to be asked for. As octets either
/// all of it, or what changed since another list: the places of what went, then what came.
///
/// Octets: `BGHL` and the version, 1; the number of hashes before and after, 8 each; the number of whole keys, 1, each
/// with its length, 1; the removed places and the added hashes, each a [RiceList]. Of the list before it says no more
/// than the length: who has another one comes to another filter, whose digest no manifest has.
/// Immutable as long as nobody writes into the array it gives.
public final class HashList {
    /// Lists with more hashes are neither made nor read: two of them and the changes fit a small heap.
    public static final int MAX_HASHES = 1 << 25;

    private static final byte[] MAGIC = "BGHL\1".getBytes(StandardCharsets.ISO_8859_1);
    private static final int MAX_CANARIES = 16;

    /// Of a list that is not there.
    public static final HashList EMPTY = new HashList(new long[0], List.of());

    private final long[] hashes;
    private final List<byte[]> canaries;

    private HashList(long[] hashes, List<byte[]> canaries) {
        this.hashes = hashes;
        this.canaries = canaries;
    }

    /// Strictly ascending as unsigned numbers. Not a copy.
    public long[] hashes() {
        return hashes;
    }

    /// In the order they have in the filter.
    public List<byte[]> canaries() {
        return canaries;
    }

    /// Sorts hashes as they came; equal ones count once.
    ///
    /// @param unsorted is sorted
    public static HashList of(long[] unsorted, int count, List<byte[]> canaries) {
        for (int i = 0; i < count; i++) {
            unsorted[i] ^= Long.MIN_VALUE;
        }
        Arrays.parallelSort(unsorted, 0, count);
        int distinct = 0;
        for (int i = 0; i < count; i++) {
            long hash = unsorted[i] ^ Long.MIN_VALUE;
            if (distinct == 0 || unsorted[distinct - 1] != hash) {
                unsorted[distinct++] = hash;
            }
        }
        return new HashList(Arrays.copyOf(unsorted, distinct), List.copyOf(canaries));
    }

    /// All of it.
    public byte[] whole() {
        return since(EMPTY);
    }

    /// What changed.
    public byte[] since(HashList before) {
        long[] removed = new long[before.hashes.length];
        long[] added = new long[hashes.length];
        int removals = 0;
        int additions = 0;
        int at = 0;
        for (int i = 0; i < before.hashes.length; i++) {
            while (at < hashes.length && Long.compareUnsigned(hashes[at], before.hashes[i]) < 0) {
                added[additions++] = hashes[at++];
            }
            if (at < hashes.length && hashes[at] == before.hashes[i]) {
                at++;
            } else {
                removed[removals++] = i;
            }
        }
        while (at < hashes.length) {
            added[additions++] = hashes[at++];
        }
        return octets(before.hashes.length, RiceList.encode(removed, removals), RiceList.encode(added, additions));
    }

    private byte[] octets(int before, byte[] removed, byte[] added) {
        int ofCanaries = canaries.stream().mapToInt(key -> 1 + key.length).sum();
        ByteBuffer octets =
                ByteBuffer.allocate(MAGIC.length + 2 * Long.BYTES + 1 + ofCanaries + removed.length + added.length);
        octets.put(MAGIC).putLong(before).putLong(hashes.length).put((byte) canaries.size());
        canaries.forEach(key -> octets.put((byte) key.length).put(key));
        return octets.put(removed).put(added).array();
    }

    /// Reads all of a list.
    public static HashList read(byte[] octets) throws DeltaRefusedException {
        return EMPTY.with(octets);
    }

    /// The list after a change of this one.
    ///
    /// @throws DeltaRefusedException when these octets are none, or of a list of another length
    public HashList with(byte[] change) throws DeltaRefusedException {
        ByteBuffer from = ByteBuffer.wrap(change);
        require(from.remaining() > MAGIC.length + 2 * Long.BYTES, "ends too early");
        byte[] magic = new byte[MAGIC.length];
        from.get(magic);
        require(Arrays.equals(magic, MAGIC), "no list of hashes");
        long before = from.getLong();
        long after = from.getLong();
        require(before == hashes.length, "is of a list of " + before + " hashes, this one has " + hashes.length);
        require(after >= 0 && after <= MAX_HASHES, after + " hashes, at most " + MAX_HASHES);
        List<byte[]> keys = canaries(from);
        long[] removed = RiceList.decode(from, hashes.length);
        long[] added = RiceList.decode(from, after);
        require(!from.hasRemaining(), "goes on behind its end");
        require(hashes.length - removed.length + added.length == after, "does not come to " + after + " hashes");
        return new HashList(merged(removed, added), keys);
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

    private long[] merged(long[] removed, long[] added) throws DeltaRefusedException {
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
        return merged;
    }

    private static void require(boolean holds, String otherwise) throws DeltaRefusedException {
        if (!holds) {
            throw new DeltaRefusedException(otherwise);
        }
    }
}
