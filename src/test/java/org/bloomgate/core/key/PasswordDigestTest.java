package org.bloomgate.core.key;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PasswordDigestTest {
    private static final String PASSWORD_HEX = "5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8";

    @Test
    void aPasswordIsDigestedAsGiven() {
        assertEquals(
                PASSWORD_HEX, PasswordDigest.key(PasswordDigest.of("password")).text());
        assertArrayEquals(
                PasswordDigest.of("password"), PasswordDigest.of("password".getBytes(StandardCharsets.UTF_8)));
        assertEquals(1, PasswordDigest.candidates("password".toCharArray()).size());
    }

    @Test
    void aPasswordNotInNfcIsTriedInNfcToo() throws Exception {
        char[] decomposed = "u\u0308ber".toCharArray();
        List<byte[]> candidates = PasswordDigest.candidates(decomposed);
        assertEquals(2, candidates.size());
        assertArrayEquals(sha1("u\u0308ber"), candidates.get(0));
        assertArrayEquals(sha1("\u00fcber"), candidates.get(1));
        assertEquals(1, PasswordDigest.candidates("\u00fcber".toCharArray()).size());
        assertArrayEquals("u\u0308ber".toCharArray(), decomposed);
    }

    @Test
    void longAndWidePasswordsAreDigestedWhole() throws Exception {
        String wide = "\u20ac\ud83d\ude00".repeat(5000);
        assertArrayEquals(sha1(wide), PasswordDigest.of(wide));
    }

    @Test
    void aDigestInHexIsTakenInEitherCaseAndNothingElseIs() {
        Optional<Key> key = Optional.of(new Key(KeyKind.PASSWORD, PASSWORD_HEX));
        assertEquals(key, PasswordDigest.ofHex(PASSWORD_HEX));
        assertEquals(key, PasswordDigest.ofHex(PASSWORD_HEX.toLowerCase(Locale.ROOT)));
        assertTrue(PasswordDigest.ofHex(PASSWORD_HEX.substring(1)).isEmpty());
        assertTrue(PasswordDigest.ofHex("Z" + PASSWORD_HEX.substring(1)).isEmpty());
        assertTrue(PasswordDigest.ofHex(PASSWORD_HEX + "0").isEmpty());
    }

    private static byte[] sha1(String text) throws Exception {
        return MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
    }
}
