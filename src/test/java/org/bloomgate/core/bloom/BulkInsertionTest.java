package org.bloomgate.core.bloom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BulkInsertionTest {

    @ParameterizedTest
    @CsvSource({
        "1000000, 1e-2, 300000, 100000, 1",
        "1000000, 1e-2, 300000, 100000, 2",
        "300000, 1e-6, 300000, 299999, 2",
        "300000, 1e-6, 3000, 7, 3",
        "5000000, 1e-3, 300000, 5000000, 2",
        "1000, 1e-6, 30000, 100, 2"
    })
    void bulkInsertion_makesTheFileOfSingleInsertions(int capacity, double rate, int keys, int atOnce, int parts)
            throws Exception {
        FilterParameters parameters = Filters.parameters(FilterSizing.twoLine(capacity, rate));
        BloomFilterBuilder single = Filters.onHeap(parameters);
        BloomFilterBuilder bulk = Filters.onHeap(parameters);
        try (ExecutorService threads = Executors.newFixedThreadPool(parts)) {
            bulk.inBulk(24L * atOnce, parallel(threads, parts));
            SplittableRandom random = new SplittableRandom(capacity);
            for (int i = 0; i < keys; i++) {
                long key = random.nextLong();
                single.add(key);
                bulk.add(key);
            }
            Filters.add(single, "bad.example");
            Filters.add(bulk, "bad.example");
            assertEquals(-1, bulk.finish().file().mismatch(single.finish().file()));
        }
    }

    @Test
    void lowestAndHighestHash_areInserted() {
        FilterParameters parameters = Filters.parameters(FilterSizing.twoLine(2_000_000, 1e-2));
        BloomFilterBuilder single = Filters.onHeap(parameters);
        BloomFilterBuilder bulk = Filters.onHeap(parameters).inBulk(24 * 64, Workers.CALLER);
        for (long key : new long[] {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1, 1L << 32, -1L << 32}) {
            single.add(key);
            bulk.add(key);
        }
        assertEquals(-1, bulk.finish().file().mismatch(single.finish().file()));
    }

    @Test
    void faultOfAWorker_isThrown() {
        FilterParameters parameters = Filters.parameters(FilterSizing.twoLine(2_000_000, 1e-2));
        BloomFilterBuilder bulk = Filters.onHeap(parameters).inBulk(24, new Workers() {
            @Override
            public int parts() {
                return 1;
            }

            @Override
            public void run(IntConsumer part) {
                throw new IllegalStateException("no thread");
            }
        });
        assertThrows(IllegalStateException.class, () -> bulk.add(1));
    }

    static Workers parallel(ExecutorService threads, int parts) {
        return new Workers() {
            @Override
            public int parts() {
                return parts;
            }

            @Override
            public void run(IntConsumer part) {
                var running = IntStream.range(0, parts)
                        .<Future<?>>mapToObj(i -> threads.submit(() -> part.accept(i)))
                        .toList();
                for (Future<?> one : running) {
                    try {
                        one.get();
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                }
            }
        };
    }
}
