package org.bloomgate.core.bloom;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;

/// Builds the fingerprints of the shards of a binary fuse filter, one shard at a time. A place to which only
/// one key maps is assigned to that key, and the key is removed, until no key is left. Then, in reverse order,
/// each key's own place gets the value that makes the exclusive or of its three places its fingerprint. The
/// result does not depend on the order of the keys. Not thread-safe.
final class FuseShard {
    static final ValueLayout.OfShort PRINT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /// Bytes of heap for each key of a shard: its hash, its word, and the state of 1.2 places.
    static final int HEAP_PER_KEY = 40;

    /// The most attempts for a shard. In the worst case, two of three attempts succeed; for most sizes nine of
    /// ten.
    static final int ATTEMPTS = 200;

    private static final int WAYS = 3;

    /// The value of one key in a count: the two lowest bits of a count are for the number of the place (0 to
    /// 2).
    private static final int ONE_KEY = 4;

    /// Words are sorted by their first places, in so many bits, so that words of the same piece are handled
    /// together.
    private static final int STEP_BITS = 12;

    private final FuseShape shape;
    private final int[] starts = new int[(1 << STEP_BITS) + 1];
    private final long[] words;
    private final byte[] ways;
    private final long[] wordsAt;
    private final int[] countsAt;
    private final int[] alone;
    private final short[] prints;

    FuseShard(FuseShape shape) {
        this.shape = shape;
        words = new long[shape.keysPerShard()];
        ways = new byte[shape.keysPerShard()];
        wordsAt = new long[shape.places()];
        countsAt = new int[shape.places()];
        alone = new int[shape.places()];
        prints = new short[shape.places()];
    }

    /// The fingerprints of the last [#build].
    short[] prints() {
        return prints;
    }

    /// Builds the fingerprints of a shard.
    ///
    /// @param keyHashes are sorted and made distinct if the first attempt fails, because with two equal hashes
    /// every attempt fails
    /// @return the number of the attempt that succeeded
    /// @throws FilterFullException if no attempt succeeded
    int build(int shard, long[] keyHashes, int count) {
        int distinct = count;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            spread(shard, attempt, keyHashes, distinct);
            if (peel(distinct)) {
                assign(distinct);
                return attempt;
            }
            distinct = attempt == 0 ? distinct(keyHashes, count) : distinct;
        }
        throw new FilterFullException("no fingerprints for " + distinct + " keys after " + ATTEMPTS + " attempts");
    }

    private static int distinct(long[] keyHashes, int count) {
        Arrays.sort(keyHashes, 0, count);
        int distinct = 0;
        for (int i = 0; i < count; i++) {
            if (i == 0 || keyHashes[i] != keyHashes[i - 1]) {
                keyHashes[distinct++] = keyHashes[i];
            }
        }
        return distinct;
    }

    private void spread(int shard, int attempt, long[] keyHashes, int count) {
        int shift = Long.SIZE - STEP_BITS;
        Arrays.fill(starts, 0);
        for (int i = 0; i < count; i++) {
            starts[(int) (FuseShape.word(keyHashes[i], shard, attempt) >>> shift) + 1]++;
        }
        for (int step = 1; step < starts.length; step++) {
            starts[step] += starts[step - 1];
        }
        for (int i = 0; i < count; i++) {
            long word = FuseShape.word(keyHashes[i], shard, attempt);
            words[starts[(int) (word >>> shift)]++] = word;
        }
    }

    /// Whether every key got a place of its own; then the words are in the order in which the keys were
    /// removed.
    private boolean peel(int count) {
        mapPlaces(count);
        int waiting = 0;
        for (int place = 0; place < countsAt.length; place++) {
            alone[waiting] = place;
            waiting += isAlone(place) ? 1 : 0;
        }
        int peeled = 0;
        while (waiting > 0) {
            int place = alone[--waiting];
            if (isAlone(place)) {
                long word = wordsAt[place];
                words[peeled] = word;
                ways[peeled++] = (byte) (countsAt[place] & (ONE_KEY - 1));
                waiting = remove(word, waiting);
            }
        }
        return peeled == count;
    }

    /// Records for each place how many keys map to it, and the exclusive or of their words.
    private void mapPlaces(int count) {
        Arrays.fill(wordsAt, 0);
        Arrays.fill(countsAt, 0);
        for (int i = 0; i < count; i++) {
            long word = words[i];
            for (int way = 0; way < WAYS; way++) {
                int place = shape.place(way, word);
                wordsAt[place] ^= word;
                countsAt[place] = (countsAt[place] + ONE_KEY) ^ way;
            }
        }
    }

    private boolean isAlone(int place) {
        return countsAt[place] / ONE_KEY == 1;
    }

    private int remove(long word, int waiting) {
        int longer = waiting;
        for (int way = 0; way < WAYS; way++) {
            int place = shape.place(way, word);
            wordsAt[place] ^= word;
            countsAt[place] = (countsAt[place] - ONE_KEY) ^ way;
            alone[longer] = place;
            longer += isAlone(place) ? 1 : 0;
        }
        return longer;
    }

    private void assign(int count) {
        Arrays.fill(prints, (short) 0);
        for (int i = count - 1; i >= 0; i--) {
            long word = words[i];
            int print = FuseShape.print(word);
            for (int way = 0; way < WAYS; way++) {
                print ^= way == ways[i] ? 0 : prints[shape.place(way, word)];
            }
            prints[shape.place(ways[i], word)] = (short) print;
        }
    }
}
