package org.bloomgate.base.io;

import java.security.SecureRandom;
import java.util.Locale;
import java.util.Optional;

/// The identifier of a decision: 12 characters of Crockford's base 32, 60 random bits, so that a token can be
/// read out over the phone and cannot be guessed.
public final class Token {
    /// Characters of a token.
    public static final int LENGTH = 12;

    /// Crockford's alphabet: without I, L, O and U.
    private static final String ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

    private static final int BITS = 5;
    private static final SecureRandom RANDOM = new SecureRandom();

    private Token() {}

    /// A new token. Thread-safe.
    public static String generate() {
        return of(RANDOM.nextLong());
    }

    /// The token of the lowest 60 bits.
    public static String of(long bits) {
        StringBuilder token = new StringBuilder(LENGTH);
        for (int i = 0; i < LENGTH; i++) {
            token.append(ALPHABET.charAt((int) (bits >>> (i * BITS)) & (ALPHABET.length() - 1)));
        }
        return token.toString();
    }

    /// The 60 bits of a token.
    public static long parseBits(String token) {
        long bits = 0;
        for (int i = 0; i < LENGTH; i++) {
            bits |= (long) ALPHABET.indexOf(token.charAt(i)) << (i * BITS);
        }
        return bits;
    }

    /// The token that a person typed: case, blanks and hyphens are ignored, O is read as 0, I and L as 1. Empty
    /// if the text is not a token.
    public static Optional<String> parse(String text) {
        String token = text.replaceAll("[ -]", "")
                .toUpperCase(Locale.ROOT)
                .replace('O', '0')
                .replace('I', '1')
                .replace('L', '1');
        boolean isWellFormed =
                token.length() == LENGTH && token.chars().allMatch(character -> ALPHABET.indexOf(character) >= 0);
        return isWellFormed ? Optional.of(token) : Optional.empty();
    }
}
