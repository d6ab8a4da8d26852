package org.bloomgate.core.bloom;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/// A filter on the heap for an unknown number of keys: it grows, and its rate stays below a bound (Almeida,
/// Baquero, Preguica, Hutchison: "Scalable Bloom Filters", 2007).
///
/// It is a sequence of two-line filters, each for twice the keys of the previous one at half its rate, so that
/// the sum of all rates stays below the bound however many there are. A lookup tests each of them, the largest
/// first: at most `log2(n / firstCapacity)` for n keys. Bits a key grow by 1.44 with each doubling.
///
/// Thread-safe without a lock. A key that was added earlier is never reported as new; if two threads add a new
/// key at the same instant, at least one of them sees it as new, and both may.
public final class ScalableFilter {
    private final long firstCapacity;
    private final double rate;
    private final boolean grows;
    private final AtomicReference<List<Stage>> stages;

    /// @param firstCapacity keys before it grows for the first time, at least 1
    /// @param rate bound of the false positive rate of the whole, per key
    public ScalableFilter(long firstCapacity, double rate) {
        this(firstCapacity, rate, true);
    }

    /// A filter of fixed size, whose rate rises with the keys beyond its capacity.
    public static ScalableFilter fixed(long capacity, double rate) {
        return new ScalableFilter(capacity, rate, false);
    }

    private ScalableFilter(long firstCapacity, double rate, boolean grows) {
        FilterSizing.requireRate(rate);
        if (firstCapacity < 1) {
            throw new IllegalArgumentException("first capacity " + firstCapacity + ": must be positive");
        }
        this.firstCapacity = firstCapacity;
        this.rate = rate;
        this.grows = grows;
        this.stages = new AtomicReference<>(List.of(stage(0)));
    }

    private Stage stage(int number) {
        return new Stage(FilterSizing.twoLine(firstCapacity << number, Math.scalb(rate, -number - 1)));
    }

    /// Adds the key. Returns whether it was new; false if it was added before or is a false positive.
    ///
    /// @param keyHash of the key by one seeded hash: [KeyHash] or another 64-bit hash of that quality
    public boolean add(long keyHash) {
        List<Stage> current = stages.get();
        for (int i = current.size() - 2; i >= 0; i--) {
            if (current.get(i).mightContain(keyHash)) {
                return false;
            }
        }
        Stage last = current.getLast();
        if (!last.add(keyHash)) {
            return false;
        }
        if (grows && last.isFull()) {
            grow(current);
        }
        return true;
    }

    /// Adds a stage. A second thread that gets here finds the filter already enlarged.
    private void grow(List<Stage> current) {
        if (stages.get().size() == current.size()) {
            Stage next = stage(current.size());
            stages.compareAndSet(
                    current, Stream.concat(current.stream(), Stream.of(next)).toList());
        }
    }

    /// Returns false if the key was certainly not added.
    public boolean mightContain(long keyHash) {
        List<Stage> current = stages.get();
        for (int i = current.size() - 1; i >= 0; i--) {
            if (current.get(i).mightContain(keyHash)) {
                return true;
            }
        }
        return false;
    }

    /// The number of keys that were new when they were added.
    public long keys() {
        long keys = 0;
        for (Stage stage : stages.get()) {
            keys += stage.keys();
        }
        return keys;
    }

    /// The bytes of all bit arrays.
    public long memoryBytes() {
        return stages.get().stream().mapToLong(Stage::memoryBytes).sum();
    }

    /// The expected false positive rate per key with the current keys.
    public double predictedRate() {
        double right = 1;
        for (Stage stage : stages.get()) {
            right *= 1 - stage.predictedRate();
        }
        return 1 - right;
    }

    /// One filter of the sequence. It may get a few more keys than its capacity: one from each thread that adds
    /// a key while the sequence grows.
    private static final class Stage {
        private final FilterSizing sizing;
        private final MemorySegment body;
        private final int bitsPerLine;
        private final AtomicLong keys = new AtomicLong();

        Stage(FilterSizing sizing) {
            this.sizing = sizing;
            this.bitsPerLine = sizing.bitsPerKey() / 2;
            this.body = MemorySegment.ofArray(new long[Math.toIntExact(sizing.bodyBytes() / Long.BYTES)]);
        }

        boolean mightContain(long keyHash) {
            MemorySegment words = body;
            long lines = lines(words);
            long second = TwoLine.second(keyHash);
            return TwoLine.missing(words, TwoLine.line(keyHash, lines), keyHash, bitsPerLine) == 0
                    && TwoLine.missing(words, TwoLine.line(second, lines), second, bitsPerLine) == 0;
        }

        /// Read before any word, for the same reason as in [BloomFilter]: 95 ns a key instead of 120.
        private static long lines(MemorySegment words) {
            return words.byteSize() / FilterSizing.LINE_BYTES;
        }

        /// Adds a key; writes nothing if it is there already, which is the common case.
        boolean add(long keyHash) {
            if (mightContain(keyHash)) {
                return false;
            }
            MemorySegment words = body;
            long lines = lines(words);
            long second = TwoLine.second(keyHash);
            boolean added = (TwoLine.setAtomically(words, TwoLine.line(keyHash, lines), keyHash, bitsPerLine)
                            | TwoLine.setAtomically(words, TwoLine.line(second, lines), second, bitsPerLine))
                    != 0;
            if (added) {
                keys.incrementAndGet();
            }
            return added;
        }

        boolean isFull() {
            return keys.get() >= sizing.capacity();
        }

        long keys() {
            return keys.get();
        }

        long memoryBytes() {
            return sizing.bodyBytes();
        }

        double predictedRate() {
            return sizing.predictedRate(keys.get());
        }
    }
}
