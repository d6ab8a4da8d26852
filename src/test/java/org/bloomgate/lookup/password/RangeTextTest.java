package org.bloomgate.lookup.password;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

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
        byte[] padded = RangeText.padded(range, rows, 2 * digestBytes - 5, RANDOM);
        String text = new String(padded, StandardCharsets.US_ASCII);
        assertTrue(text.startsWith(new String(range, StandardCharsets.US_ASCII)));
        return List.of(text.split("\r\n", -1));
    }

    @Test
    void paddingFillsUpToBetweenEightHundredAndAThousandRows() {
        for (int digestBytes : new int[] {20, 16}) {
            String line = "[0-9A-F]{" + (2 * digestBytes - 5) + "}";
            for (int rows : new int[] {0, 1, 2, 799, 800}) {
                List<String> lines = padded(rows, digestBytes);
                assertTrue(lines.size() >= 800 && lines.size() <= 1_000, rows + " became " + lines.size());
                assertTrue(lines.stream().limit(rows).allMatch(one -> one.matches(line + ":[1-9][0-9]*")));
                assertTrue(lines.stream().skip(rows).allMatch(one -> one.matches(line + ":0")));
                assertEquals(lines.size(), lines.stream().distinct().count());
            }
        }
    }

    @Test
    void aRangeOfAThousandIsNotPadded() {
        byte[] range = range(1_000, 20);
        assertSame(range, RangeText.padded(range, 1_000, 35, RANDOM));
        assertEquals(1_001, padded(1_001, 20).size());
    }

    @Test
    void everyLengthOfPaddingOccurs() {
        byte[] none = range(0, 16);
        assertEquals(
                201,
                IntStream.range(0, 5_000)
                        .map(round -> RangeText.padded(none, 0, 27, RANDOM).length)
                        .distinct()
                        .count());
    }
}
