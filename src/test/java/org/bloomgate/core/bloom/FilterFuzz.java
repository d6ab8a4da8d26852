package org.bloomgate.core.bloom;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;

/// What holds for a filter file that somebody forges, checksums included: it is refused, or every key gets an answer,
/// one by one the same as in batches, and the rates that are told lie between 0 and 1. The input is the numbers of the
/// header, then the body.
public final class FilterFuzz {
    /// The header up to the checksums.
    private static final int NUMBERS = 112;

    private static final int HEADER_CHECKSUM_AT = FilterFormat.HEADER_BYTES - Integer.BYTES;
    private static final long[] KEYS = new SplittableRandom(1).longs(200).toArray();

    private FilterFuzz() {}

    /// The name that Jazzer looks for.
    public static void fuzzerTestOneInput(byte[] bytes) {
        if (bytes.length < NUMBERS) {
            return;
        }
        MemorySegment file = MemorySegment.ofArray(file(bytes));
        try {
            FilterHeader header = FilterFormat.readHeader(file);
            FilterParameters parameters = header.parameters();
            check(FilterFormat.open(file, parameters.kindCode(), parameters.canonicalForm()));
        } catch (FilterRefusedException refused) {
            assertTrue(!String.valueOf(refused.getMessage()).isBlank());
        }
    }

    private static byte[] file(byte[] bytes) {
        byte[] file = new byte[FilterFormat.HEADER_BYTES + bytes.length - NUMBERS];
        System.arraycopy(bytes, 0, file, 0, NUMBERS);
        System.arraycopy(bytes, NUMBERS, file, FilterFormat.HEADER_BYTES, bytes.length - NUMBERS);
        ByteBuffer header = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        header.putInt(NUMBERS, crc(file, FilterFormat.HEADER_BYTES, file.length));
        header.putInt(HEADER_CHECKSUM_AT, crc(file, 0, HEADER_CHECKSUM_AT));
        return file;
    }

    private static int crc(byte[] file, int from, int to) {
        CRC32C crc = new CRC32C();
        crc.update(file, from, to - from);
        return (int) crc.getValue();
    }

    private static void check(BloomFilter filter) {
        int[] expected = IntStream.range(0, KEYS.length)
                .filter(i -> filter.mightContain(KEYS[i]))
                .toArray();
        int[] suspects = new int[KEYS.length];
        int found = filter.suspects(KEYS, KEYS.length, suspects);
        assertArrayEquals(expected, Arrays.copyOf(suspects, found));
        FilterHeader header = filter.header();
        assertTrue(header.predictedRate() >= 0 && header.predictedRate() <= 1);
        assertTrue(header.fill() >= 0 && header.fill() <= 1);
    }
}
