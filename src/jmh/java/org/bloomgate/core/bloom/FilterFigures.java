package org.bloomgate.core.bloom;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import com.google.common.hash.Funnels;
import java.io.BufferedInputStream;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;

/// What a filter costs to build and to load, and what rate it has: medians of three.
///
/// Arguments: `build KEYS RATE`, `load KEYS RATE FOLDER`, `rate KEYS RATE PROBES` or `layouts KEYS RATE`.
public final class FilterFigures {
    private static final int RUNS = 3;
    private static final long BUFFER_BYTES = 192L << 20;

    private FilterFigures() {}

    public static void main(String[] arguments) throws Exception {
        int keys = Integer.parseInt(arguments[1]);
        FilterSizing sizing = FilterSizing.of(keys, Double.parseDouble(arguments[2]));
        FilterParameters parameters = new FilterParameters(1, 1, 7, sizing, Instant.ofEpochSecond(1));
        switch (arguments[0]) {
            case "build" -> build(keys, FilterSizing.twoLine(keys, sizing.targetRate()));
            case "load" -> load(keys, parameters, Path.of(arguments[3]));
            case "rate" -> rate(keys, parameters, Long.parseLong(arguments[3]));
            case "layouts" -> layouts(keys, sizing.targetRate());
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    private interface Work {
        void run() throws Exception;
    }

    private static double medianSeconds(Work work) throws Exception {
        double[] seconds = new double[RUNS];
        for (int i = 0; i < RUNS; i++) {
            long start = System.nanoTime();
            work.run();
            seconds[i] = (System.nanoTime() - start) / 1e9;
        }
        Arrays.sort(seconds);
        return seconds[RUNS / 2];
    }

    /// Of two lines, whose body is filled by radix.
    private static void build(int keys, FilterSizing sizing) throws Exception {
        FilterParameters parameters = new FilterParameters(1, 1, 7, sizing, Instant.ofEpochSecond(1));
        long[] hashes = new SplittableRandom(1).longs(keys).toArray();
        try (Arena arena = Arena.ofShared();
                ExecutorService pool = Executors.newFixedThreadPool(1)) {
            MemorySegment file = arena.allocate(parameters.fileBytes(), 4096);
            double one = medianSeconds(() -> insert(file, parameters, hashes, Workers.CALLER));
            double two = medianSeconds(() -> insert(file, parameters, hashes, two(pool)));
            System.out.printf(
                    "build of %,d keys at %s, ns a key: %.1f on one thread, %.1f on two%n",
                    keys, parameters.sizing().targetRate(), one * 1e9 / keys, two * 1e9 / keys);
        }
    }

    private static void insert(MemorySegment file, FilterParameters parameters, long[] hashes, Workers workers) {
        RadixInsertion insertion = new RadixInsertion(
                file.asSlice(FilterFormat.HEADER_BYTES).fill((byte) 0),
                parameters.sizing(),
                (int) (BUFFER_BYTES / 24),
                workers);
        long[] waiting = new long[(int) (BUFFER_BYTES / 24)];
        for (int from = 0; from < hashes.length; from += waiting.length) {
            int count = Math.min(waiting.length, hashes.length - from);
            System.arraycopy(hashes, from, waiting, 0, count);
            insertion.insert(waiting, count);
        }
    }

    private static Workers two(ExecutorService pool) {
        return new Workers() {
            @Override
            public int parts() {
                return 2;
            }

            @Override
            public void run(IntConsumer part) {
                Future<?> other = pool.submit(() -> part.accept(1));
                part.accept(0);
                try {
                    other.get();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }
        };
    }

    private static void load(int keys, FilterParameters parameters, Path folder) throws Exception {
        Path own = folder.resolve("own.bloom");
        try (Arena arena = Arena.ofShared();
                FileChannel channel = FileChannel.open(own, CREATE, READ, WRITE)) {
            MemorySegment file = channel.map(FileChannel.MapMode.READ_WRITE, 0, parameters.fileBytes(), arena);
            BloomFilterBuilder builder = new BloomFilterBuilder(file, parameters).inBulk(BUFFER_BYTES, Workers.CALLER);
            new SplittableRandom(1).longs(keys).forEach(builder::add);
            builder.finish();
        }
        Path guavas = folder.resolve("guava.bloom");
        Files.write(
                guavas, Contenders.Guava.serialized(keys, parameters.sizing().targetRate()));
        double ours = medianSeconds(() -> {
            try (Arena arena = Arena.ofShared();
                    FileChannel channel = FileChannel.open(own, READ)) {
                MemorySegment file = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
                file.load();
                FilterFormat.open(file, 1, 1);
            }
        });
        double theirs = medianSeconds(() -> {
            try (InputStream in = new BufferedInputStream(Files.newInputStream(guavas), 1 << 16)) {
                com.google.common.hash.BloomFilter.readFrom(in, Funnels.stringFunnel(StandardCharsets.UTF_8));
            }
        });
        System.out.printf(
                "load of %,d keys at %s: map, populate, verify %.1f ms; Guava readFrom %.1f ms; ratio %.3f%n",
                keys, parameters.sizing().targetRate(), ours * 1e3, theirs * 1e3, ours / theirs);
    }

    private static void rate(int keys, FilterParameters parameters, long probes) {
        MemorySegment file = Arena.ofAuto().allocate(parameters.fileBytes(), 4096);
        BloomFilterBuilder builder = new BloomFilterBuilder(file, parameters).inBulk(BUFFER_BYTES, Workers.CALLER);
        byte[] key = new byte[24];
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < keys; i++) {
            random.nextBytes(key);
            builder.add(key, 0, key.length);
        }
        BloomFilter filter = builder.finish();
        double measured = filter.measuredRate(probes, new SplittableRandom(6));
        double error = 1.96 * Math.sqrt(measured * (1 - measured) / probes);
        SplittableRandom again = new SplittableRandom(5);
        long misses = 0;
        for (int i = 0; i < keys; i++) {
            again.nextBytes(key);
            misses += filter.mightContain(filter.hash().hash(key, 0, key.length)) ? 0 : 1;
        }
        System.out.printf(
                "rate of %,d keys: design %.3e, predicted %.4e, measured %.4e, 95 %% interval %.4e to %.4e over %,d"
                        + " absent keys; %d of %,d inserted keys denied%n",
                keys,
                parameters.sizing().targetRate(),
                filter.header().predictedRate(),
                measured,
                measured - error,
                measured + error,
                probes,
                misses,
                keys);
    }

    /// Both layouts, in processor time of one thread; the last of the runs is warm.
    private static void layouts(int keys, double rate) {
        long[] hashes = new SplittableRandom(1).longs(keys).toArray();
        for (int run = 0; run < RUNS; run++) {
            for (FilterSizing sizing :
                    new FilterSizing[] {FilterSizing.twoLine(keys, rate), FilterSizing.lineFuse(keys, rate)}) {
                FilterParameters parameters = new FilterParameters(1, 1, 7, sizing, Instant.ofEpochSecond(1));
                MemorySegment file = Arena.ofAuto().allocate(parameters.fileBytes(), 4096);
                long start = processorNanos();
                BloomFilterBuilder builder =
                        new BloomFilterBuilder(file, parameters).inBulk(BUFFER_BYTES, Workers.CALLER);
                for (long hash : hashes) {
                    builder.add(hash);
                }
                BloomFilter filter = builder.finish();
                System.out.printf(
                        "build of %,d keys, %s: %.1f ns a key, %.3f bits a key%n",
                        keys,
                        sizing.layout().label(),
                        (processorNanos() - start) / (double) keys,
                        filter.header().bitsPerEntry());
            }
        }
    }

    private static long processorNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
