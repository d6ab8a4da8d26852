package org.bloomgate.core.bloom;

import java.lang.foreign.MemorySegment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A two-line filter of 2^n lines with ten bits a key, which can be folded to half its lines and united with others.
///
/// Folding is exact: the line of either word of a key is the word's top n bits, and the positions in a line depend on
/// the hash alone. So the OR of two neighbouring lines is the line of the filter with half the lines, and a folded
/// filter equals the one that was built with fewer lines.
///
/// The number of keys is estimated from the bits that are set (Swamidass, Baldi, 2007), so that it depends on the
/// content alone, whatever was united in which order. Immutable except for [#add]; not thread-safe while it is filled.
public final class FoldingFilter {
    /// The smallest filter has 2^6 lines, for about 2,000 keys.
    public static final int MIN_SHAPE = 6;

    /// The largest has 2^18, for about 9 million keys in 16 MiB.
    public static final int MAX_SHAPE = 18;

    /// Bits that a key sets, half of them in each of its lines.
    public static final int BITS_PER_KEY = 10;

    /// The false positive rate up to which a filter is folded and united.
    public static final double MAX_RATE = 1e-3;

    /// The length of the largest filter file.
    public static final int MAX_FILE_BYTES = FilterFormat.HEADER_BYTES + (FilterSizing.LINE_BYTES << MAX_SHAPE);

    private static final double MAX_LINE_RATE = Math.sqrt(MAX_RATE);
    private static final int BITS_PER_LINE = BITS_PER_KEY / 2;

    /// Keys in a line at that rate, both lines of a key counted.
    private static final double MAX_LOAD = findMaxLoad();

    private final int shape;
    private final long[] words;

    /// An empty filter.
    ///
    /// @param shape binary logarithm of the number of lines
    public FoldingFilter(int shape) {
        this(shape, new long[wordsOf(shape)]);
    }

    private FoldingFilter(int shape, long[] words) {
        this.shape = shape;
        this.words = words;
    }

    private static int wordsOf(int shape) {
        if (shape < MIN_SHAPE || shape > MAX_SHAPE) {
            throw new IllegalArgumentException("shape " + shape + ": must be " + MIN_SHAPE + ".." + MAX_SHAPE);
        }
        return (FilterSizing.LINE_BYTES / Long.BYTES) << shape;
    }

    private static double findMaxLoad() {
        double low = 0;
        double high = FilterSizing.LINE_BITS;
        while (high - low > 1e-9) {
            double middle = (low + high) / 2;
            if (LineRate.of(BITS_PER_LINE, middle) > MAX_LINE_RATE) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return low;
    }

    /// The number of keys at which a filter of this shape has a rate of [#MAX_RATE].
    public static long capacity(int shape) {
        return (long) (MAX_LOAD / 2 * (1L << shape));
    }

    /// The smallest shape with room for this many keys; the largest if none has.
    public static int shapeFor(long keys) {
        int shape = MIN_SHAPE;
        while (shape < MAX_SHAPE && capacity(shape) < keys) {
            shape++;
        }
        return shape;
    }

    public int shape() {
        return shape;
    }

    private MemorySegment body() {
        return MemorySegment.ofArray(words);
    }

    /// Adds a key.
    ///
    /// @param keyHash of the key by [KeyHash]
    public void add(long keyHash) {
        MemorySegment body = body();
        long second = TwoLine.second(keyHash);
        TwoLine.set(body, TwoLine.line(keyHash, 1L << shape), keyHash, BITS_PER_LINE);
        TwoLine.set(body, TwoLine.line(second, 1L << shape), second, BITS_PER_LINE);
    }

    /// Returns false if the key was certainly not added.
    public boolean mightContain(long keyHash) {
        MemorySegment body = body();
        long second = TwoLine.second(keyHash);
        return TwoLine.missing(body, TwoLine.line(keyHash, 1L << shape), keyHash, BITS_PER_LINE) == 0
                && TwoLine.missing(body, TwoLine.line(second, 1L << shape), second, BITS_PER_LINE) == 0;
    }

    /// Returns the filter of the same keys with fewer lines; this one if it has no more than these.
    public FoldingFilter foldTo(int target) {
        FoldingFilter folded = this;
        while (folded.shape > target) {
            folded = folded.half();
        }
        return folded;
    }

    private FoldingFilter half() {
        FoldingFilter folded = new FoldingFilter(shape - 1);
        int lineWords = FilterSizing.LINE_BYTES / Long.BYTES;
        for (int i = 0; i < folded.words.length; i++) {
            int even = (i / lineWords) * 2 * lineWords + i % lineWords;
            folded.words[i] = words[even] | words[even + lineWords];
        }
        return folded;
    }

    /// Returns this filter folded to the smallest shape whose predicted rate is at most [#MAX_RATE].
    public FoldingFilter foldToSmallest() {
        FoldingFilter smallest = this;
        for (int target = shape - 1; target >= MIN_SHAPE; target--) {
            FoldingFilter folded = smallest.half();
            if (folded.isOverfull()) {
                break;
            }
            smallest = folded;
        }
        return smallest;
    }

    /// Returns the filter of the keys of both, with the lines of the smaller one.
    public FoldingFilter unite(FoldingFilter other) {
        int target = Math.min(shape, other.shape);
        long[] united = foldTo(target).words.clone();
        long[] others = other.foldTo(target).words;
        for (int i = 0; i < united.length; i++) {
            united[i] |= others[i];
        }
        return new FoldingFilter(target, united);
    }

    /// Whether it has all bits of another filter, with the lines of the smaller one.
    public boolean covers(FoldingFilter other) {
        FoldingFilter united = unite(other);
        return Arrays.equals(united.words, foldTo(united.shape).words);
    }

    /// Adds a filter to parts that are probed one by one: it is united with the last part if the rate of the union
    /// is at most [#MAX_RATE], and becomes a part of its own otherwise.
    public static List<FoldingFilter> addTo(List<FoldingFilter> parts, FoldingFilter filter) {
        List<FoldingFilter> all = new ArrayList<>(parts);
        if (!all.isEmpty()) {
            FoldingFilter united = all.getLast().unite(filter);
            if (!united.isOverfull()) {
                all.set(all.size() - 1, united);
                return List.copyOf(all);
            }
        }
        all.add(filter);
        return List.copyOf(all);
    }

    /// The share of the bits that are one, 0..1.
    public double fill() {
        return (double) setBits() / bits();
    }

    private double bits() {
        return (double) words.length * Long.SIZE;
    }

    private long setBits() {
        long set = 0;
        for (long word : words) {
            set += Long.bitCount(word);
        }
        return set;
    }

    /// The number of keys, estimated from the bits that are set; as large as possible if all are.
    public long keys() {
        double clear = 1 - fill();
        return clear <= 0 ? Long.MAX_VALUE : Math.round(-bits() / BITS_PER_KEY * Math.log(clear));
    }

    /// The expected false positive rate per key.
    public double predictedRate() {
        return predictedRate(shape, keys());
    }

    static double predictedRate(int shape, long keys) {
        double oneLine = LineRate.of(BITS_PER_LINE, 2.0 * keys / (1L << shape));
        return oneLine * oneLine;
    }

    /// Whether the rate is above [#MAX_RATE].
    public boolean isOverfull() {
        return keys() > capacity(shape);
    }

    /// Returns the filter file. Equal filters have equal files.
    ///
    /// @param kindCode of the set
    /// @param seed of the hash
    /// @param createdAt begin of the time that the filter is of
    public byte[] toFile(int kindCode, int canonicalForm, long seed, Instant createdAt) {
        FilterSizing sizing =
                new FilterSizing(FilterLayout.TWO_LINE, 1L << shape, BITS_PER_KEY, capacity(shape), MAX_RATE);
        FilterParameters parameters = new FilterParameters(kindCode, canonicalForm, seed, sizing, createdAt);
        byte[] file = new byte[Math.toIntExact(parameters.fileBytes())];
        MemorySegment segment = MemorySegment.ofArray(file);
        for (int i = 0; i < words.length; i++) {
            segment.set(TwoLine.WORD, FilterFormat.HEADER_BYTES + (long) i * Long.BYTES, words[i]);
        }
        FilterFormat.writeHeader(segment, new FilterHeader(parameters, keys(), setBits(), List.of()));
        return file;
    }

    /// Reads a filter file. Damage is refused, as are another set, seed or begin, other numbers of lines and
    /// bits, clear keys, and a filter fuller than its shape allows.
    public static FoldingFilter ofFile(byte[] file, int kindCode, int canonicalForm, long seed, Instant createdAt)
            throws FilterRefusedException {
        MemorySegment segment = MemorySegment.ofArray(file);
        FilterHeader header =
                FilterFormat.open(segment, kindCode, canonicalForm).header();
        FilterParameters parameters = header.parameters();
        FilterSizing sizing = parameters.sizing();
        require(sizing.layout() == FilterLayout.TWO_LINE, "another layout");
        require(sizing.bitsPerKey() == BITS_PER_KEY, "bits per key are " + sizing.bitsPerKey());
        require(parameters.seed() == seed, "the seed is of another key");
        require(parameters.createdAt().equals(createdAt), "the time is " + parameters.createdAt());
        require(header.canaries().isEmpty(), "it contains clear keys");
        int shape = Long.numberOfTrailingZeros(sizing.lines());
        require(
                sizing.lines() == 1L << shape && shape >= MIN_SHAPE && shape <= MAX_SHAPE,
                "lines are " + sizing.lines());
        FoldingFilter filter = new FoldingFilter(shape);
        for (int i = 0; i < filter.words.length; i++) {
            filter.words[i] = segment.get(TwoLine.WORD, FilterFormat.HEADER_BYTES + (long) i * Long.BYTES);
        }
        require(!filter.isOverfull(), "fuller than its shape allows");
        return filter;
    }

    private static void require(boolean asExpected, String fault) throws FilterRefusedException {
        if (!asExpected) {
            throw new FilterRefusedException(fault);
        }
    }
}
