package org.bloomgate.lists.sort;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The external sort against a `TreeMap`.
class ExternalSortOracleTest {
    /// So little that a run holds a few hundred to some thousand records.
    private static final long TINY = 96 << 10;

    @TempDir
    private Path folder;

    private final TreeMap<byte[], TreeMap<Integer, Long>> oracle = new TreeMap<>(Arrays::compareUnsigned);

    @Test
    void manyRunsOfRandomKeysBecomeOneSequence() throws Exception {
        Random random = new Random(1);
        ExternalSort sort = new ExternalSort(folder, TINY);
        for (int i = 0; i < 200_000; i++) {
            byte[] key = new byte[1 + random.nextInt(24)];
            random.nextBytes(key);
            add(sort, 1 + random.nextInt(3), key, random.nextInt(5), random.nextInt(100));
        }
        assertSame(sort, new BitSet());
    }

    @Test
    void keysThatShareLongBeginningsAndDuplicatesAreOrdered() throws Exception {
        Random random = new Random(2);
        ExternalSort sort = new ExternalSort(folder, TINY);
        for (int i = 0; i < 50_000; i++) {
            String host = "a-very-long-name-that-all-of-them-share.".repeat(random.nextInt(4)) + random.nextInt(900);
            add(sort, 2, host.getBytes(StandardCharsets.US_ASCII), random.nextInt(9), random.nextInt(3));
        }
        assertSame(sort, new BitSet());
    }

    @Test
    void keysThatDifferInZeroBytesAtTheirEndStayApart() throws Exception {
        Random random = new Random(3);
        ExternalSort sort = new ExternalSort(folder, TINY);
        for (int i = 0; i < 20_000; i++) {
            byte[] key = new byte[random.nextInt(30)];
            if (key.length > 0) {
                key[random.nextInt(key.length)] = (byte) random.nextInt(2);
            }
            add(sort, 3, key, random.nextInt(2), i);
        }
        assertSame(sort, new BitSet());
    }

    @Test
    void recordsInOrderAreARunAsTheyComeUntilTheOrderBreaks() throws Exception {
        Random random = new Random(4);
        ExternalSort sort = new ExternalSort(folder, TINY);
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < ExternalSort.IN_ORDER + 30_000; i++) {
                String host = "%07d".formatted(3 * i + round);
                for (int source = round; source < 1 + i % 3; source++) {
                    add(sort, 2, host.getBytes(StandardCharsets.US_ASCII), source, i);
                }
            }
            for (int i = 0; i < 5_000; i++) {
                String host = "%07d".formatted(random.nextInt(300_000));
                add(sort, 1 + i % 3, host.getBytes(StandardCharsets.US_ASCII), random.nextInt(3), i);
            }
        }
        BitSet dropped = new BitSet();
        dropped.set(1);
        assertSame(sort, new BitSet());
        oracle.values().forEach(sources -> sources.remove(1));
        oracle.values().removeIf(Map::isEmpty);
        assertSame(sort, dropped);
    }

    @Test
    void oneListThatIsInOrderIsOneFileFromItsFirstRecordOn() throws Exception {
        ExternalSort sort = new ExternalSort(folder, 64 << 20);
        for (int i = 0; i < 3 * ExternalSort.IN_ORDER; i++) {
            add(sort, 2, "%07d".formatted(i).getBytes(StandardCharsets.US_ASCII), 0, 0);
        }
        assertSame(sort, new BitSet());
        try (Stream<Path> files = Files.list(folder)) {
            assertEquals(List.of(folder.resolve("run-0")), files.toList());
        }
    }

    /// A list may hold keys that are alike for thousands of bytes: calls must not nest with them.
    @Test
    void keysThatAreLongAlikeNeedNoDeepStack() throws Exception {
        SortBuffer buffer = new SortBuffer(64 << 20);
        byte[] key = new byte[SortBuffer.MAX_KEY_BYTES - 1];
        Arrays.fill(key, (byte) 'a');
        for (int i = 0; i < 1_000; i++) {
            key[i * 16 % key.length] = 'b';
            assertTrue(buffer.add(1, key, 0, key.length, i % 7, 1));
            key[i * 16 % key.length] = 'a';
        }
        FutureTask<Boolean> sorting = new FutureTask<>(buffer::sort, true);
        new Thread(null, sorting, "small", 128 << 10).start();
        assertTrue(sorting.get());
        for (int i = 1; i < buffer.size(); i++) {
            assertTrue(Arrays.compareUnsigned(
                            buffer.keyBytes(i - 1),
                            buffer.keyFrom(i - 1),
                            buffer.keyTo(i - 1),
                            buffer.keyBytes(i),
                            buffer.keyFrom(i),
                            buffer.keyTo(i))
                    <= 0);
        }
    }

    @Test
    void allEqualKeysSortInLinearTimeAndFoldIntoOne() throws Exception {
        ExternalSort sort = new ExternalSort(folder, TINY);
        for (int i = 0; i < 300_000; i++) {
            add(sort, 2, "same.example".getBytes(StandardCharsets.US_ASCII), 0, i);
        }
        assertSame(sort, new BitSet());
    }

    @Test
    void droppedSourcesAreNeitherShownNorCounted() throws Exception {
        Random random = new Random(4);
        ExternalSort sort = new ExternalSort(folder, TINY);
        for (int i = 0; i < 30_000; i++) {
            byte[] key = Integer.toString(random.nextInt(20_000)).getBytes(StandardCharsets.US_ASCII);
            add(sort, 1, key, random.nextInt(4), 0);
        }
        BitSet dropped = new BitSet();
        dropped.set(1);
        dropped.set(3);
        oracle.values().forEach(sources -> sources.keySet().removeIf(dropped::get));
        oracle.values().removeIf(Map::isEmpty);
        assertSame(sort, dropped);
    }

    @Test
    void moreRunsThanMayBeOpenAtOnceAreMergedInBetween() throws Exception {
        ExternalSort sort = new ExternalSort(folder, TINY);
        byte[] key = new byte[SortBuffer.MAX_KEY_BYTES - 1];
        Random random = new Random(5);
        for (int i = 0; i < 1_500; i++) {
            random.nextBytes(key);
            add(sort, 1, key.clone(), 0, 0);
        }
        assertSame(sort, new BitSet());
    }

    @Test
    void whatComesOutDependsNeitherOnThreadsNorOnMemory() throws Exception {
        byte[] sorted = sorted(new ExternalSort(Files.createDirectory(folder.resolve("one")), TINY));
        for (long memory : new long[] {TINY, 1 << 20, 16 << 20}) {
            Path own = Files.createDirectory(folder.resolve("threads" + memory));
            assertArrayEquals(sorted, sorted(new ExternalSort(own, memory, ExternalSortOracleTest::onAThread)));
        }
    }

    private static void onAThread(Runnable task) {
        Thread.ofPlatform().daemon().start(task);
    }

    private static byte[] sorted(ExternalSort sort) throws IOException {
        Random random = new Random(5);
        for (int i = 0; i < 60_000; i++) {
            byte[] key = new byte[1 + random.nextInt(12)];
            random.nextBytes(key);
            sort.add(1 + random.nextInt(3), key, random.nextInt(5), random.nextInt(100));
        }
        for (int i = 0; i < ExternalSort.IN_ORDER + 5_000; i++) {
            byte[] key = {(byte) (i >> 16), (byte) (i >> 8), (byte) i};
            sort.add(2, key, 6, 1);
        }
        return Files.readAllBytes(sort.finish(new BitSet(), done -> {}).file());
    }

    @Test
    void aRunThatCannotBeWrittenOnAThreadIsTheErrorOfItsFile() {
        Path absent = folder.resolve("absent");
        ExternalSort sort = new ExternalSort(absent, TINY, ExternalSortOracleTest::onAThread);
        assertThrows(NoSuchFileException.class, () -> sorted(sort));
    }

    @Test
    void nothingSortedIsNothing() throws Exception {
        assertSame(new ExternalSort(folder, TINY), new BitSet());
    }

    @Test
    void keyBeyondTheBoundIsRefused() {
        ExternalSort sort = new ExternalSort(folder, TINY);
        assertThrows(IllegalArgumentException.class, () -> sort.add(1, new byte[SortBuffer.MAX_KEY_BYTES], 0, 0));
    }

    @Test
    void runThatIsCutOffIsAnErrorAndNotAShorterRun() throws Exception {
        ExternalSort sort = new ExternalSort(folder, TINY);
        for (int i = 0; i < 1_000; i++) {
            add(sort, 1, ("key" + i).getBytes(StandardCharsets.US_ASCII), 0, 1_000_000);
        }
        SortedKeys keys = sort.finish(new BitSet(), done -> {});
        byte[] bytes = Files.readAllBytes(keys.file());
        Files.write(keys.file(), Arrays.copyOf(bytes, bytes.length - 1));
        assertThrows(IOException.class, () -> {
            try (KeyCursor cursor = keys.open()) {
                while (cursor.next()) {
                    assertTrue(cursor.countSources() == 1);
                }
            }
        });
    }

    private void add(ExternalSort sort, int kindCode, byte[] key, int source, long count) throws IOException {
        sort.add(kindCode, key, source, count);
        byte[] whole = new byte[key.length + 1];
        whole[0] = (byte) kindCode;
        System.arraycopy(key, 0, whole, 1, key.length);
        oracle.computeIfAbsent(whole, k -> new TreeMap<>()).merge(source, count, Math::max);
    }

    private void assertSame(ExternalSort sort, BitSet dropped) throws IOException {
        AtomicLong progress = new AtomicLong();
        SortedKeys keys = sort.finish(dropped, progress::set);
        assertEquals(oracle.size(), keys.keys());
        long[] byKind = new long[256];
        Iterator<Map.Entry<byte[], TreeMap<Integer, Long>>> expected =
                oracle.entrySet().iterator();
        try (KeyCursor cursor = keys.open()) {
            while (cursor.next()) {
                Map.Entry<byte[], TreeMap<Integer, Long>> entry = expected.next();
                byte[] key = Arrays.copyOf(cursor.bytes(), cursor.end());
                assertEquals(
                        HexFormat.of().formatHex(entry.getKey()), HexFormat.of().formatHex(key));
                TreeMap<Integer, Long> sources = new TreeMap<>();
                for (int i = 0; i < cursor.countSources(); i++) {
                    sources.put(cursor.source(i), cursor.count(i));
                }
                assertEquals(entry.getValue(), sources);
                byKind[cursor.kindCode()]++;
            }
        }
        assertFalse(expected.hasNext());
        for (int kind = 0; kind < byKind.length; kind++) {
            assertEquals(byKind[kind], keys.keys(kind));
        }
        try (Stream<Path> files = Files.list(folder)) {
            assertEquals(1, files.count(), "only the sorted sequence is left on disk");
        }
    }
}
