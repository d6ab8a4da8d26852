package org.bloomgate.content.archive;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.core.limit.MessageLimits;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompoundFileTest {
    private final Allowance allowance = new Allowance(MessageLimits.defaults());

    @AfterEach
    void giveBackHeap() {
        allowance.heapBackTo(0);
    }

    private Map<String, byte[]> read(byte[] bytes) {
        return read(CompoundFile.open(bytes, bytes.length, allowance));
    }

    private Map<String, byte[]> read(CompoundFile file) {
        Map<Integer, String> paths = new HashMap<>(Map.of(0, ""));
        Map<String, byte[]> streams = new LinkedHashMap<>();
        for (CompoundFile.Entry entry : file.entries()) {
            String path = paths.get(entry.storage()) + entry.name();
            paths.put(entry.number(), path + "/");
            if (entry.isStream()) {
                streams.put(path, file.read(entry));
            }
        }
        allowance.heapBackTo(0);
        return streams;
    }

    @ParameterizedTest
    @ValueSource(ints = {9, 12})
    void shuffledSectors_everyStreamIsRead(int shift) {
        for (int seed = 0; seed < 40; seed++) {
            allowance.inspects(1_000_000);
            Random random = new Random(seed);
            Map<String, byte[]> streams = new LinkedHashMap<>();
            CompoundWriter writer = new CompoundWriter(random, shift);
            for (int i = 0; i < random.nextInt(1, 30); i++) {
                byte[] content = new byte[random.nextInt(random.nextBoolean() ? 300 : 30_000)];
                random.nextBytes(content);
                String path = "a/b/c/".substring(0, 2 * random.nextInt(4)) + "stream" + i;
                streams.put(path, content);
                writer.add(path, content);
            }
            Map<String, byte[]> read = read(writer.write());
            assertEquals(streams.keySet(), read.keySet());
            streams.forEach((path, content) -> assertArrayEquals(content, read.get(path), path));
            assertEquals(Set.of(), allowance.reached());
        }
    }

    @Test
    void tableBeyondTheHeader_isReadByItsList() {
        byte[] content = new byte[110 * 128 * 512];
        new Random(1).nextBytes(content);
        byte[] file = new CompoundWriter().add("stream", content).write();
        allowance.inspects(file.length);
        assertArrayEquals(content, read(file).get("stream"));
        assertEquals(Set.of(), allowance.reached());
    }

    @Test
    void damagedBytes_areReadOnceAtMost() {
        Random random = new Random(7);
        for (int round = 0; round < 500; round++) {
            Allowance own = new Allowance(MessageLimits.defaults());
            CompoundWriter writer = new CompoundWriter(random, random.nextBoolean() ? 9 : 12);
            for (int i = 0; i < 10; i++) {
                writer.add("s/" + i, new byte[random.nextInt(6_000)]);
            }
            byte[] bytes = writer.write();
            for (int i = 0; i < 20; i++) {
                bytes[random.nextInt(8, bytes.length)] = (byte) (random.nextBoolean() ? 0xff : random.nextInt(20));
            }
            CompoundFile file = CompoundFile.open(bytes, bytes.length, own);
            int sum = file.entries().stream()
                    .filter(CompoundFile.Entry::isStream)
                    .mapToInt(stream -> file.read(stream).length)
                    .sum();
            assertTrue(sum <= 2 * bytes.length, () -> "" + sum);
            own.heapBackTo(0);
        }
    }

    private static int length(Map<String, byte[]> streams, String name) {
        return Objects.requireNonNull(streams.get(name), name).length;
    }

    private static byte[] oneStream() {
        return new CompoundWriter().add("stream", "x".repeat(5_000)).write();
    }

    /// The entry of the stream is the second of the directory.
    private static int entry(byte[] file) {
        byte[] name = "stream".getBytes(StandardCharsets.UTF_16LE);
        return LittleEndian.indexOf(file, file.length, new String(name, StandardCharsets.ISO_8859_1), 512);
    }

    @Test
    void sizeBeyondTheChain_isOpaque() {
        byte[] file = oneStream();
        file[entry(file) + 123] = 0x7f;
        assertEquals(5_120, length(read(file), "stream"));
        assertEquals(Set.of(Limit.OPAQUE), allowance.reached());
    }

    @Test
    void streamThatBeginsOutOfTheFile_isOpaque() {
        byte[] file = oneStream();
        file[entry(file) + 118] = 1;
        assertEquals(0, length(read(file), "stream"));
        assertEquals(Set.of(Limit.OPAQUE), allowance.reached());
    }

    @Test
    void chainThatLeadsToItself_isOpaque() {
        byte[] file = oneStream();
        int first = LittleEndian.two(file, file.length, entry(file) + 116);
        int table = (LittleEndian.two(file, file.length, 76) + 1) * 512;
        file[table + 4 * first] = (byte) first;
        assertEquals(512, length(read(file), "stream"));
        assertEquals(Set.of(Limit.OPAQUE), allowance.reached());
    }

    @Test
    void twoStreamsOfOneChain_areReadOnce() {
        byte[] file = new CompoundWriter()
                .add("a", new byte[5_000])
                .add("b", new byte[5_000])
                .write();
        int a = LittleEndian.indexOf(file, file.length, "a\0\0\0\0", 512);
        int b = LittleEndian.indexOf(file, file.length, "b\0\0\0\0", 512);
        System.arraycopy(file, a + 116, file, b + 116, 4);
        Map<String, byte[]> read = read(file);
        assertEquals(5_000, length(read, "a") + length(read, "b"));
        assertEquals(Set.of(Limit.OPAQUE), allowance.reached());
    }

    @Test
    void treeOfTheDirectoryThatLeadsToItself_isReadOnce() {
        byte[] file = oneStream();
        file[entry(file) + 68] = 1;
        file[entry(file) + 72] = 1;
        file[entry(file) + 69] = file[entry(file) + 70] = file[entry(file) + 71] = 0;
        assertEquals(Set.of("stream"), read(file).keySet());
    }

    @Test
    void headerAlone_isOpaque() {
        assertEquals(Map.of(), read(Arrays.copyOf(oneStream(), 512)));
        assertEquals(Set.of(Limit.OPAQUE), allowance.reached());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 8, 10, 255})
    void sizeOfSectorsOutOfBounds_isOpaque(int shift) {
        byte[] file = oneStream();
        file[30] = (byte) shift;
        read(file);
        assertEquals(Set.of(Limit.OPAQUE), allowance.reached());
    }

    @Test
    void bytesAfterTheLastSector_areNotInUse() {
        byte[] file = oneStream();
        CompoundFile read = CompoundFile.open(Arrays.copyOf(file, file.length + 2_000), file.length + 2_000, allowance);
        assertEquals(Set.of("stream"), read(read).keySet());
        assertEquals(file.length, read.end());
        assertFalse(read.isDamaged());
    }
}
