package org.bloomgate.lookup.password;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RangeTextTest {
    private static final Random RANDOM = new Random(6);

    private static byte[] range(int rows, int digestBytes) {
        DigestRows digests = new DigestRows(digestBytes, rows);
        for (int row = 0; row < rows; row++) {
            byte[] digest = new byte[digestBytes];
            digest[3] = (byte) (row >> 8);
            digest[4] = (byte) row;
            digests.add(digest, 0, row);
        }
        return RangeText.of(digests);
    }

    private static List<String> padded(int rows, int digestBytes) {
        byte[] range = range(rows, digestBytes);
        byte[] padded = RangeText.pad(range, rows, 2 * digestBytes - 5, RANDOM);
        String text = new String(padded, StandardCharsets.US_ASCII);
        assertTrue(text.startsWith(new String(range, StandardCharsets.US_ASCII)));
        return List.of(text.split("\r\n", -1));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 789, 790, 791, 799, 800, 990, 1_000, 1_001, 1_300, 5_000})
    void padded_ofAnySize_hasRandomLinesOfCountZero(int rows) {
        for (int digestBytes : new int[] {20, 16}) {
            String line = "[0-9A-F]{" + (2 * digestBytes - 5) + "}";
            List<String> lines = padded(rows, digestBytes);
            int least = Math.max(790, rows);
            assertTrue(lines.size() >= least + 10 && lines.size() < least + 210, rows + " became " + lines.size());
            assertTrue(lines.stream().limit(rows).allMatch(one -> one.matches(line + ":[1-9][0-9]*")));
            assertTrue(lines.stream().skip(rows).allMatch(one -> one.matches(line + ":0")));
            assertEquals(lines.size(), lines.stream().distinct().count());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1_300})
    void padded_manyTimes_hasEveryNumberOfLines(int rows) {
        byte[] range = range(rows, 16);
        assertEquals(
                200,
                IntStream.range(0, 5_000)
                        .map(round -> RangeText.pad(range, rows, 27, RANDOM).length)
                        .distinct()
                        .count());
    }
}
