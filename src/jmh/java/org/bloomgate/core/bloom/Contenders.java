package org.bloomgate.core.bloom;

import com.google.common.hash.Funnels;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.function.ToLongFunction;
import org.apache.datasketches.filters.bloomfilter.BloomFilterBuilder;

/// Ways to ask a filter for many keys. Each is made for a number of keys and a rate and then counts the keys of a
/// slice that it may contain; all are thread-safe.
///
/// The rivals hold random bits at the fill they have when full, about 0.516 ones: for keys that are absent that costs
/// what a filter of real keys costs, and 100 million keys need no quarter of an hour to be put.
final class Contenders {
    private static final int LONGEST_KEY = 64;

    private Contenders() {}

    /// Keys twice: as strings, and as bytes one behind the other with the place where each begins, as a message has
    /// them. Made of JDK types, because each contender sees another class of this name.
    static Object[] slice(SplittableRandom random, int size) {
        String[] strings = new String[size];
        byte[] bytes = new byte[size * LONGEST_KEY];
        int[] starts = new int[size + 1];
        for (int i = 0; i < size; i++) {
            strings[i] = key(random);
            starts[i + 1] = starts[i] + strings[i].length();
            System.arraycopy(strings[i].getBytes(StandardCharsets.UTF_8), 0, bytes, starts[i], strings[i].length());
        }
        return new Object[] {strings, bytes, starts};
    }

    /// Reads all keys of a slice, so that they are in the caches.
    static long read(Object[] slice) {
        long sum = 0;
        for (String key : (String[]) slice[0]) {
            sum += key.charAt(key.length() - 1);
        }
        for (byte b : (byte[]) slice[1]) {
            sum += b;
        }
        for (int start : (int[]) slice[2]) {
            sum += start;
        }
        return sum;
    }

    /// 17 to 57 characters, 30 on average.
    private static String key(SplittableRandom random) {
        StringBuilder key = new StringBuilder(LONGEST_KEY);
        key.append(Long.toUnsignedString(random.nextLong() | Long.MIN_VALUE, 36), 0, 9)
                .append(".example");
        int more = random.nextInt(4) == 0 ? random.nextInt(41) : random.nextInt(22);
        while (more-- > 0) {
            key.append((char) ('a' + random.nextInt(26)));
        }
        return key.toString();
    }

    private static long bitsOfFullFilter(SplittableRandom random) {
        long sparse = random.nextLong() & random.nextLong() & random.nextLong() & random.nextLong();
        return random.nextLong() | sparse & random.nextLong();
    }

    abstract static class OfStrings implements ToLongFunction<Object[]> {
        @Override
        public long applyAsLong(Object[] slice) {
            long found = 0;
            for (String key : (String[]) slice[0]) {
                found += mightContain(key) ? 1 : 0;
            }
            return found;
        }

        abstract boolean mightContain(String key);
    }

    static final class Guava extends OfStrings {
        private final com.google.common.hash.BloomFilter<CharSequence> filter;

        Guava(long keys, double rate) throws IOException {
            filter = com.google.common.hash.BloomFilter.readFrom(
                    new ByteArrayInputStream(serialized(keys, rate)), Funnels.stringFunnel(StandardCharsets.UTF_8));
        }

        /// Strategy, k, number of words, words: big endian.
        static byte[] serialized(long keys, double rate) {
            long bits = ClassicBloomFilter.optimalBits(keys, rate);
            int words = Math.toIntExact((bits + 63) / 64);
            ByteBuffer out = ByteBuffer.allocate(6 + words * 8);
            out.put((byte) 1)
                    .put((byte) ClassicBloomFilter.optimalProbes(bits, keys))
                    .putInt(words);
            SplittableRandom random = new SplittableRandom(1);
            for (int i = 0; i < words; i++) {
                out.putLong(bitsOfFullFilter(random));
            }
            return out.array();
        }

        @Override
        boolean mightContain(String key) {
            return filter.mightContain(key);
        }
    }

    static final class Spark extends OfStrings {
        private final org.apache.spark.util.sketch.BloomFilter filter;

        Spark(long keys, double rate) throws IOException {
            long bits = ClassicBloomFilter.optimalBits(keys, rate);
            int words = Math.toIntExact((bits + 63) / 64);
            ByteBuffer out = ByteBuffer.allocate(12 + words * 8);
            out.putInt(1).putInt(ClassicBloomFilter.optimalProbes(bits, keys)).putInt(words);
            SplittableRandom random = new SplittableRandom(1);
            for (int i = 0; i < words; i++) {
                out.putLong(bitsOfFullFilter(random));
            }
            filter = org.apache.spark.util.sketch.BloomFilter.readFrom(new ByteArrayInputStream(out.array()));
        }

        @Override
        boolean mightContain(String key) {
            return filter.mightContainString(key);
        }
    }

    static final class DataSketches extends OfStrings {
        private static final int PREAMBLE_BYTES = 32;

        private final org.apache.datasketches.filters.bloomfilter.BloomFilter filter;

        DataSketches(long keys, double rate) {
            long size = BloomFilterBuilder.getSerializedFilterSizeByAccuracy(keys, rate);
            MemorySegment image = MemorySegment.ofArray(new long[Math.toIntExact((size + 7) / 8)]);
            BloomFilterBuilder.initializeByAccuracy(keys, rate, 1, image).update(1);
            SplittableRandom random = new SplittableRandom(1);
            for (long at = PREAMBLE_BYTES; at + 8 <= image.byteSize(); at += 8) {
                image.set(ValueLayout.JAVA_LONG, at, bitsOfFullFilter(random));
            }
            filter = org.apache.datasketches.filters.bloomfilter.BloomFilter.heapify(image);
        }

        @Override
        boolean mightContain(String key) {
            return filter.query(key);
        }
    }

    static final class Classic extends OfStrings {
        private final ClassicBloomFilter filter;
        private final KeyHash hash = new KeyHash(1);

        Classic(long keys, double rate) {
            filter = ClassicBloomFilter.of(keys, rate);
            new SplittableRandom(1).longs(keys).forEach(filter::add);
        }

        @Override
        public long applyAsLong(Object[] slice) {
            byte[] buffer = new byte[LONGEST_KEY];
            long found = 0;
            for (String key : (String[]) slice[0]) {
                found += filter.mightContain(hash.hash(buffer, 0, bytes(key, buffer))) ? 1 : 0;
            }
            return found;
        }

        @Override
        boolean mightContain(String key) {
            return applyAsLong(new Object[] {new String[] {key}}) > 0;
        }
    }

    /// Keys of this project are ASCII once they are canonical.
    @SuppressWarnings("deprecation")
    static int bytes(String key, byte[] buffer) {
        key.getBytes(0, key.length(), buffer, 0);
        return key.length();
    }

    /// A filter of random hashes, off the heap as a mapped file is. Filters on the heap are asked beside it before, as
    /// in a gateway: both go through the same methods, and the compiler must not know too well what comes.
    static BloomFilter twoLine(long keys, double rate) {
        return besideOthers(filled(FilterSizing.twoLine(keys, rate)));
    }

    static BloomFilter lineFuse(long keys, double rate) {
        return besideOthers(filled(FilterSizing.lineFuse(keys, rate)));
    }

    private static BloomFilter besideOthers(BloomFilter filter) {
        double rate = 1e-3;
        BloomFilter few = filled(FilterSizing.twoLine(10_000, rate));
        ScalableFilter growing = new ScalableFilter(10_000, rate);
        SplittableRandom random = new SplittableRandom(2);
        long found = 0;
        for (int i = 0; i < 1_000_000; i++) {
            long keyHash = random.nextLong();
            found += few.mightContain(keyHash) ? 1 : 0;
            found += growing.mightContain(keyHash) ? 1 : 0;
            if (i % 100 == 0) {
                growing.add(keyHash);
            }
        }
        if (found == 0) {
            throw new IllegalStateException("filters hold nothing");
        }
        return filter;
    }

    private static BloomFilter filled(FilterSizing sizing) {
        FilterParameters parameters = new FilterParameters(1, 1, 7, sizing, Instant.ofEpochSecond(1));
        MemorySegment file = Arena.ofAuto().allocate(parameters.fileBytes(), 4096);
        org.bloomgate.core.bloom.BloomFilterBuilder builder =
                new org.bloomgate.core.bloom.BloomFilterBuilder(file, parameters).inBulk(200L << 20, Workers.CALLER);
        new SplittableRandom(1).longs(sizing.capacity()).forEach(builder::add);
        return builder.finish();
    }

    static final class TwoLine implements ToLongFunction<Object[]> {
        private final BloomFilter filter;

        TwoLine(long keys, double rate) {
            filter = twoLine(keys, rate);
        }

        @Override
        public long applyAsLong(Object[] slice) {
            KeyHash hash = filter.hash();
            byte[] buffer = new byte[LONGEST_KEY];
            long found = 0;
            for (String key : (String[]) slice[0]) {
                found += filter.mightContain(hash.hash(buffer, 0, bytes(key, buffer))) ? 1 : 0;
            }
            return found;
        }
    }

    /// One by one.
    abstract static class OfBytes implements ToLongFunction<Object[]> {
        private final BloomFilter filter;

        OfBytes(BloomFilter filter) {
            this.filter = filter;
        }

        @Override
        public long applyAsLong(Object[] slice) {
            KeyHash hash = filter.hash();
            byte[] bytes = (byte[]) slice[1];
            int[] starts = (int[]) slice[2];
            long found = 0;
            for (int i = 0; i < starts.length - 1; i++) {
                found += filter.mightContain(hash.hash(bytes, starts[i], starts[i + 1])) ? 1 : 0;
            }
            return found;
        }
    }

    static final class TwoLineOfBytes extends OfBytes {
        TwoLineOfBytes(long keys, double rate) {
            super(twoLine(keys, rate));
        }
    }

    static final class LineFuseOfBytes extends OfBytes {
        LineFuseOfBytes(long keys, double rate) {
            super(lineFuse(keys, rate));
        }
    }

    static final class TwoLineInBatches implements ToLongFunction<Object[]> {
        private static final int BATCH = 32;

        private final BloomFilter filter;

        TwoLineInBatches(long keys, double rate) {
            filter = twoLine(keys, rate);
        }

        @Override
        public long applyAsLong(Object[] slice) {
            KeyHash hash = filter.hash();
            byte[] buffer = new byte[LONGEST_KEY];
            long[] hashes = new long[BATCH];
            int[] suspects = new int[BATCH];
            String[] keys = (String[]) slice[0];
            long found = 0;
            for (int from = 0; from < keys.length; from += BATCH) {
                int count = Math.min(BATCH, keys.length - from);
                for (int i = 0; i < count; i++) {
                    hashes[i] = hash.hash(buffer, 0, bytes(keys[from + i], buffer));
                }
                found += filter.suspects(hashes, count, suspects);
            }
            return found;
        }
    }

    /// As the lookup of a message asks.
    abstract static class OfBytesInBatches implements ToLongFunction<Object[]> {
        private static final int BATCH = 64;

        private final BloomFilter filter;

        OfBytesInBatches(BloomFilter filter) {
            this.filter = filter;
        }

        @Override
        public long applyAsLong(Object[] slice) {
            KeyHash hash = filter.hash();
            byte[] bytes = (byte[]) slice[1];
            int[] starts = (int[]) slice[2];
            long[] hashes = new long[BATCH];
            int[] suspects = new int[BATCH];
            long found = 0;
            for (int from = 0; from < starts.length - 1; from += BATCH) {
                int count = Math.min(BATCH, starts.length - 1 - from);
                for (int i = 0; i < count; i++) {
                    hashes[i] = hash.hash(bytes, starts[from + i], starts[from + i + 1]);
                }
                found += filter.suspects(hashes, count, suspects);
            }
            return found;
        }
    }

    static final class TwoLineOfBytesInBatches extends OfBytesInBatches {
        TwoLineOfBytesInBatches(long keys, double rate) {
            super(twoLine(keys, rate));
        }
    }

    static final class LineFuseOfBytesInBatches extends OfBytesInBatches {
        LineFuseOfBytesInBatches(long keys, double rate) {
            super(lineFuse(keys, rate));
        }
    }

    static final class HashAlone implements ToLongFunction<Object[]> {
        HashAlone(long keys, double rate) {}

        @Override
        public long applyAsLong(Object[] slice) {
            KeyHash hash = new KeyHash(7);
            byte[] buffer = new byte[LONGEST_KEY];
            long sum = 0;
            for (String key : (String[]) slice[0]) {
                sum += hash.hash(buffer, 0, bytes(key, buffer));
            }
            return sum;
        }
    }

    /// One load for each key from a line that only the load before tells: what a lookup costs at least.
    static final class DependentLines implements ToLongFunction<Object[]> {
        private final MemorySegment body;
        private final long lines;
        private long seed = 1;

        DependentLines(long keys, double rate) {
            BloomFilter filter = twoLine(keys, rate);
            body = filter.file();
            lines = filter.header().parameters().sizing().lines();
        }

        @Override
        public long applyAsLong(Object[] slice) {
            long word = seed += 0x9E3779B97F4A7C15L;
            for (int i = ((String[]) slice[0]).length; i > 0; i--) {
                word = org.bloomgate.core.bloom.TwoLine.second(word
                        + i
                        + body.get(
                                org.bloomgate.core.bloom.TwoLine.WORD,
                                4096 + org.bloomgate.core.bloom.TwoLine.line(word, lines)));
            }
            return word;
        }
    }

    /// The same with lines that are known beforehand, so that the misses overlap.
    static final class IndependentLines implements ToLongFunction<Object[]> {
        private final MemorySegment body;
        private final long lines;
        private long seed = 1;

        IndependentLines(long keys, double rate) {
            BloomFilter filter = twoLine(keys, rate);
            body = filter.file();
            lines = filter.header().parameters().sizing().lines();
        }

        @Override
        public long applyAsLong(Object[] slice) {
            long word = seed += 0x9E3779B97F4A7C15L;
            long sum = 0;
            for (int i = ((String[]) slice[0]).length; i > 0; i--) {
                word = org.bloomgate.core.bloom.TwoLine.second(word + i);
                sum += body.get(
                        org.bloomgate.core.bloom.TwoLine.WORD,
                        4096 + org.bloomgate.core.bloom.TwoLine.line(word, lines));
            }
            return sum;
        }
    }

    /// An exact set, but for two keys in 2^64: hashes in a table of which at most half is used. It can forget a key.
    static final class HashTable implements ToLongFunction<Object[]> {
        private final long[] table;

        HashTable(long keys, double rate) {
            table = new long[Integer.highestOneBit((int) keys) * 4];
            new SplittableRandom(1).longs(keys).forEach(this::add);
        }

        private void add(long hash) {
            int at = (int) hash & table.length - 1;
            while (table[at] != 0) {
                at = at + 1 & table.length - 1;
            }
            table[at] = hash;
        }

        @Override
        public long applyAsLong(Object[] slice) {
            KeyHash hash = new KeyHash(7);
            byte[] buffer = new byte[LONGEST_KEY];
            long found = 0;
            for (String key : (String[]) slice[0]) {
                long of = hash.hash(buffer, 0, bytes(key, buffer));
                int at = (int) of & table.length - 1;
                while (table[at] != 0 && table[at] != of) {
                    at = at + 1 & table.length - 1;
                }
                found += table[at] != 0 ? 1 : 0;
            }
            return found;
        }
    }
}
