package org.bloomgate.core.bloom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyHashTest {

    /// Without a seed these are the published values of XXH3_64bits.
    @ParameterizedTest
    @CsvSource({
        "0, '', 2d06800538d394c2",
        "0, a, e6c632b61e964e1f",
        "0, abc, 78af5f94892f3950",
        "0123456789abcdef, bad.example, dea25d15631dfd0f"
    })
    void hashesAreThoseOfTheReference(String seed, String key, String expected) {
        KeyHash hash = new KeyHash(HexFormat.fromHexDigitsToLong(seed));
        byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        assertEquals(expected, HexFormat.of().toHexDigits(hash.hash(bytes, 0, bytes.length)));
    }

    @Test
    void onlyTheBytesBetweenTheBoundsCount() {
        KeyHash hash = new KeyHash(7);
        byte[] bytes = "xxbad.examplexx".getBytes(StandardCharsets.UTF_8);
        byte[] alone = "bad.example".getBytes(StandardCharsets.UTF_8);
        assertEquals(hash.hash(alone, 0, alone.length), hash.hash(bytes, 2, bytes.length - 2));
        assertNotEquals(hash.hash(alone, 0, alone.length), new KeyHash(8).hash(alone, 0, alone.length));
    }

    @Test
    void hashOfLong_equalsHashOfItsBytes() {
        KeyHash hash = new KeyHash(7);
        for (long value : new long[] {0, 1, -1, 0x0123456789ABCDEFL}) {
            byte[] bytes = java.nio.ByteBuffer.allocate(Long.BYTES)
                    .order(java.nio.ByteOrder.LITTLE_ENDIAN)
                    .putLong(value)
                    .array();
            assertEquals(hash.hash(bytes, 0, bytes.length), hash.hash(value));
        }
    }
}
