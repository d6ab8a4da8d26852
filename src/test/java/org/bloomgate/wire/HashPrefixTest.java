package org.bloomgate.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import org.bloomgate.key.Key;
import org.bloomgate.key.KeyKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HashPrefixTest {
    private static final byte[] HASH = HexFormat.of().parseHex("1a2b3c4d000000000000000000000000");

    @ParameterizedTest
    @CsvSource({
        "0, 1a",
        "1, 1a",
        "65535, 1a",
        "65536, 1a2",
        "1048575, 1a2",
        "1048576, 1a2b",
        "1000000000000, 1a2b",
    })
    void moreListedMakesLongerPrefixesUpToSixteenBits(long listed, String digits) {
        assertEquals(digits, HashPrefix.of(HASH, listed).digits());
    }

    @Test
    void aPrefixCoversThoseOfTheFullLengthThatBeginWithIt() {
        assertEquals(new HashPrefix("1a2b"), HashPrefix.parse("1a2b").orElseThrow());
        assertEquals(0x1a2b, HashPrefix.longest(HASH));
        assertEquals(0x1a2b, new HashPrefix("1a2b").first());
        assertEquals(0x1a2c, new HashPrefix("1a2b").end());
        assertEquals(0x1a20, new HashPrefix("1a2").first());
        assertEquals(0x1a30, new HashPrefix("1a2").end());
        assertEquals(0xff00, new HashPrefix("ff").first());
        assertEquals(HashPrefix.LONGEST, new HashPrefix("ff").end());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "1a2b3", "1A", "1g", "-1", "１a", " 1a", "0x1a"})
    void anythingElseIsNoPrefix(String text) {
        assertEquals(Optional.empty(), HashPrefix.parse(text));
    }

    @Test
    void aHashIsThatOfTheKindAndTheOctets() throws Exception {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        digest.update((byte) 2);
        digest.update("evil.example".getBytes(StandardCharsets.US_ASCII));
        assertArrayEquals(Arrays.copyOf(digest.digest(), 16), HashedKey.of(new Key(KeyKind.DOMAIN, "evil.example")));
    }
}
