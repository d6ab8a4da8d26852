package org.bloomgate.core.bloom;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FilterFormatTest {
    private static final FilterSizing SIZING = new FilterSizing(FilterLayout.TWO_LINE, 3, 6, 100, 0.01);

    /// The bits were also computed by hand from the hashes, outside of Java.
    @Test
    void fileOfTwoKeys_hasTheGoldenBytes() throws Exception {
        try (InputStream golden = FilterFormatTest.class.getResourceAsStream("/snapshots/two-keys.bloom.hex")) {
            String expected = new String(golden.readAllBytes(), StandardCharsets.US_ASCII);
            assertEquals(expected, dump(twoKeys()));
        }
    }

    /// Rows of 16 bytes that are not all zero.
    static String dump(byte[] file) {
        StringBuilder text = new StringBuilder();
        for (int at = 0; at < file.length; at += 16) {
            byte[] row = Arrays.copyOfRange(file, at, at + 16);
            if (!Arrays.equals(row, new byte[16])) {
                text.append(String.format("%04x %s\n", at, HexFormat.of().formatHex(row)));
            }
        }
        return text.toString();
    }

    @Test
    void writtenFile_isOpened() throws Exception {
        BloomFilter filter = open(twoKeys());
        FilterHeader header = filter.header();
        assertEquals(Filters.parameters(SIZING), header.parameters());
        assertEquals(2, header.inserted());
        assertEquals(11, header.setBits(), "both lines of evil.test are the same, and one position coincides");
        assertEquals(2, header.canaries().size());
        assertArrayEquals(
                "bad.example".getBytes(StandardCharsets.UTF_8),
                header.canaries().getFirst());
        assertTrue(Filters.asks(filter, "evil.test"));
    }

    @Test
    void canaries_areAtMostFourShortKeys() throws Exception {
        BloomFilterBuilder builder = Filters.onHeap(100, 0.01);
        Filters.add(builder, "x".repeat(252));
        Filters.add(builder, "y".repeat(251));
        for (int i = 0; i < 9; i++) {
            Filters.add(builder, "z" + i);
        }
        FilterHeader header = open(Filters.file(builder.finish())).header();
        assertEquals(4, header.canaries().size());
        assertEquals(251, header.canaries().getFirst().length);
    }

    @Test
    void canaries_areTheSmallestKeysInAnyOrder() throws Exception {
        BloomFilterBuilder up = Filters.onHeap(100, 0.01);
        BloomFilterBuilder down = Filters.onHeap(100, 0.01);
        for (int i = 0; i < 20; i++) {
            Filters.add(up, "key" + (char) ('a' + i));
            Filters.add(down, "key" + (char) ('t' - i));
        }
        byte[] file = Filters.file(up.finish());
        assertArrayEquals(file, Filters.file(down.finish()));
        assertArrayEquals(
                "keya".getBytes(StandardCharsets.UTF_8),
                open(file).header().canaries().getFirst());
    }

    @Test
    void flippedBit_isRejected() {
        assertFlippedBitsAreRejected(twoKeys());
    }

    static void assertFlippedBitsAreRejected(byte[] file) {
        for (int at = 0; at < file.length; at++) {
            for (int bit = at % 3; bit < 8; bit += 3) {
                file[at] ^= (byte) (1 << bit);
                assertThrows(FilterRefusedException.class, () -> open(file), "byte " + at + " bit " + bit);
                file[at] ^= (byte) (1 << bit);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8, 4095, 4096, 4097, 4096 + 64, 4096 + 191})
    void truncatedFile_isRejected(int length) {
        assertThrows(FilterRefusedException.class, () -> open(Arrays.copyOf(twoKeys(), length)));
    }

    @Test
    void bytesAfterTheEnd_areRejected() {
        refusedFor("file length", Arrays.copyOf(twoKeys(), 4096 + 193));
    }

    @Test
    void otherKindOrCanonicalForm_isRejected() {
        MemorySegment file = MemorySegment.ofArray(twoKeys());
        assertReason(
                "key kind is 2, expected 3",
                assertThrows(FilterRefusedException.class, () -> FilterFormat.open(file, 3, Filters.CANONICAL_FORM)));
        assertReason(
                "canonical form is 1, expected 2",
                assertThrows(FilterRefusedException.class, () -> FilterFormat.open(file, Filters.KIND, 2)));
    }

    /// Fields that are wrong under a checksum that is right: a writer with other rules, or somebody who forges.
    @ParameterizedTest
    @CsvSource({
        "0, 0, magic",
        "8, 3, format version",
        "12, 8192, header length",
        "16, 2, layout",
        "20, 2, hash",
        "28, 0, kind code",
        "28, 256, kind code",
        "48, 0, k 0",
        "48, 5, k 5",
        "48, 34, k 34",
        "52, 5, canaries",
        "52, -1, canaries",
        "104, 65536, bytes in a chunk",
        "108, 2, chunks",
        "112, 1, chunk 0"
    })
    void wrongIntUnderValidChecksum_isRejected(int at, int value, String reason) {
        byte[] file = twoKeys();
        ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).putInt(at, value);
        refusedFor(reason, signed(file));
    }

    @ParameterizedTest
    @CsvSource({
        "40, 0, lines",
        "40, 4, lines",
        "40, -1, lines",
        "40, 4611686018427387907, lines",
        "56, -1, keys inserted",
        "64, -1, capacity",
        "64, 9223372036854775807, capacity",
        "72, 0, rate",
        "72, 4607182418800017408, rate",
        "72, 9221120237041090560, rate",
        "80, 1537, bits set",
        "80, -1, bits set",
        "96, 128, body"
    })
    void wrongLongUnderValidChecksum_isRejected(int at, long value, String reason) {
        byte[] file = twoKeys();
        ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).putLong(at, value);
        refusedFor(reason, signed(file));
    }

    @Test
    void absentCanary_isRejected() {
        byte[] file = twoKeys();
        file[3073] ^= 1;
        refusedFor("canary", signed(file));
    }

    @Test
    void canaryOfImpossibleLength_isRejected() {
        byte[] file = twoKeys();
        file[3072] = (byte) 252;
        refusedFor("canary 0 longer", signed(file));
    }

    @Test
    void unfinishedFile_isRejected() {
        FilterParameters parameters = Filters.parameters(SIZING);
        byte[] file = new byte[(int) parameters.fileBytes()];
        Filters.add(new BloomFilterBuilder(MemorySegment.ofArray(file), parameters), "bad.example");
        refusedFor("magic", file);
    }

    private static byte[] twoKeys() {
        BloomFilterBuilder builder = Filters.onHeap(Filters.parameters(SIZING));
        Filters.add(builder, "bad.example");
        Filters.add(builder, "evil.test");
        return Filters.file(builder.finish());
    }

    static byte[] signed(byte[] file) {
        CRC32C crc = new CRC32C();
        crc.update(file, 0, 4092);
        ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).putInt(4092, (int) crc.getValue());
        return file;
    }

    static BloomFilter open(byte[] file) throws FilterRefusedException {
        return FilterFormat.open(MemorySegment.ofArray(file), Filters.KIND, Filters.CANONICAL_FORM);
    }

    static void refusedFor(String reason, byte[] file) {
        assertReason(reason, assertThrows(FilterRefusedException.class, () -> open(file)));
    }

    private static void assertReason(String reason, FilterRefusedException refusal) {
        String message = String.valueOf(refusal.getMessage());
        assertTrue(message.contains(reason), message);
    }
}
