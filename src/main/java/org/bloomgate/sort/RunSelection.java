package org.bloomgate.sort;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/// What is taken of a run that was kept from another sort: the sources there, each under its number here, and keys that
/// they hold no longer. Serves one walk over the run. Not thread-safe.
public final class RunSelection {
    private static final int NOT_TAKEN = -1;

    /// By number there.
    private final int[] numbers = new int[SortBuffer.MAX_SOURCE + 1];

    /// By number here.
    private final BitSet repeated = new BitSet();

    private final List<Gone> gone = new ArrayList<>();
    private int last = NOT_TAKEN;
    private int lastHere = NOT_TAKEN;
    private int met;

    /// A key, the code of its kind first, that a source holds no longer.
    private static final class Gone implements Comparable<Gone> {
        private final byte[] key;
        private final int source;

        Gone(byte[] key, int source) {
            this.key = key;
            this.source = source;
        }

        @Override
        public int compareTo(Gone other) {
            int byKey = Arrays.compareUnsigned(key, other.key);
            return byKey != 0 ? byKey : Integer.compare(source, other.source);
        }

        int compareTo(byte[] other, int length, int otherSource) {
            int byKey = Arrays.compareUnsigned(key, 0, key.length, other, 0, length);
            return byKey != 0 ? byKey : Integer.compare(source, otherSource);
        }
    }

    /// Nothing, until sources are taken.
    public RunSelection() {
        Arrays.fill(numbers, NOT_TAKEN);
    }

    /// Whether a source may be taken: those of a key stand in the order of their numbers, there as here.
    public boolean isInOrder(int there) {
        return there > last;
    }

    /// Takes the records of a source that is in order.
    ///
    /// @param here its number, above those of all that were taken
    /// @param hasRepeated as [SortedKeys#repeated()] said of it
    /// @param without keys that it holds no longer, each with the code of its kind first; each has to be in the run
    public void take(int there, int here, boolean hasRepeated, List<byte[]> without) {
        if (!isInOrder(there) || here <= lastHere) {
            throw new IllegalArgumentException(
                    "source " + there + " as " + here + " after " + last + " as " + lastHere);
        }
        last = there;
        lastHere = here;
        numbers[there] = here;
        repeated.set(here, hasRepeated);
        without.forEach(key -> gone.add(new Gone(key, there)));
    }

    /// Numbers here of sources that gave a key more than once.
    BitSet repeated() {
        return repeated;
    }

    void begin() {
        gone.sort(null);
        met = 0;
    }

    /// Number of the record's source here; negative when the record is not taken.
    ///
    /// @throws IOException when a key that is held no longer should have come before
    int number(byte[] key, int length, int source) throws IOException {
        if (met < gone.size()) {
            int order = gone.get(met).compareTo(key, length, source);
            if (order < 0) {
                throw missing();
            }
            if (order == 0) {
                met++;
                return NOT_TAKEN;
            }
        }
        return numbers[source];
    }

    /// After the last record.
    void end() throws IOException {
        if (met < gone.size()) {
            throw missing();
        }
    }

    private static IOException missing() {
        return new IOException("a run that was kept lacks a key that its source gave");
    }
}
