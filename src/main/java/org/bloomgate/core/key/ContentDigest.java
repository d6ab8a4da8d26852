package org.bloomgate.core.key;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/// The SHA-256 of a file, by which malware lists identify it.
public final class ContentDigest {
    /// The length of a digest.
    public static final int BYTES = 32;

    private ContentDigest() {}

    /// A digest to which the bytes of one file are added.
    public static MessageDigest begin() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /// The key of a digest.
    public static Key key(byte[] digest) {
        return Key.ofBytes(KeyKind.HASH, digest, 0, digest.length);
    }

    /// The key of a digest in 64 hex digits of either case, possibly with blanks around them; empty for any
    /// other text.
    public static Optional<Key> ofHex(String hex) {
        String digits = hex.strip();
        return HexDigits.are(digits, 2 * BYTES) ? Optional.of(key(HexFormat.of().parseHex(digits))) : Optional.empty();
    }
}
