package org.bloomgate.core.bloom;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.SPARSE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Filters above 2 GiB, which are above 2^34 bits, in a sparse file: only the pages of the keys are on disk.
class LargeFilterTest {
    private static final long LINES = ((2L << 30) + (64L << 20)) / FilterSizing.LINE_BYTES + 7;

    @Test
    void filterAboveTwoGibibytes_isFinishedAndOpened(@TempDir Path directory) throws Exception {
        FilterParameters parameters =
                Filters.parameters(new FilterSizing(FilterLayout.TWO_LINE, LINES, 18, 400_000_000, 1e-6));
        long[] keys = new SplittableRandom(1).longs(40).toArray();
        try (Arena arena = Arena.ofConfined();
                FileChannel channel =
                        FileChannel.open(directory.resolve("large.bloom"), CREATE_NEW, SPARSE, READ, WRITE)) {
            MemorySegment file = channel.map(FileChannel.MapMode.READ_WRITE, 0, parameters.fileBytes(), arena);
            BloomFilterBuilder builder = new BloomFilterBuilder(file, parameters);
            for (long key : keys) {
                builder.add(key);
            }
            Filters.add(builder, "bad.example");
            FilterHeader header = builder.finish().header();
            assertTrue(header.setBits() > 41 * 17 && header.setBits() <= 41 * 18, "bits set " + header.setBits());

            BloomFilter opened = FilterFormat.open(file, Filters.KIND, Filters.CANONICAL_FORM);
            for (long key : keys) {
                assertTrue(opened.mightContain(key));
            }
            assertEquals(0, opened.measuredRate(100, new SplittableRandom(2)));
        }
    }

    @Test
    void randomKeys_useAllLinesEvenly() {
        int[] byTenth = new int[10];
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < 100_000; i++) {
            long keyHash = random.nextLong();
            for (long word : new long[] {keyHash, TwoLine.second(keyHash)}) {
                long line = TwoLine.line(word, LINES) / FilterSizing.LINE_BYTES;
                byTenth[(int) (line * 10 / LINES)]++;
            }
        }
        for (int count : byTenth) {
            assertEquals(20_000, count, 600);
        }
    }

    @Test
    void lowestAndHighestHash_stayInside() {
        assertEquals(0, TwoLine.line(0, LINES));
        assertEquals((LINES - 1) * FilterSizing.LINE_BYTES, TwoLine.line(-1, LINES));
        assertEquals(LINES / 2 * FilterSizing.LINE_BYTES, TwoLine.line(Long.MIN_VALUE, LINES));
    }
}
