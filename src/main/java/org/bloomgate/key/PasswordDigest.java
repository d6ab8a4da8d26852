package org.bloomgate.key;

import java.util.List;
import java.util.Optional;

/// The SHA-1 of a password, the key of password lists.
public final class PasswordDigest {
    /// Length of a digest.
    public static final int BYTES = 20;

    private PasswordDigest() {}

    /// The digests to ask for: of the UTF-8 as given and, when it differs, of the NFC. The array is not changed.
    public static List<byte[]> candidates(char[] password) {
        return List.of(java.util.Arrays.copyOf(password.length == 0 ? new byte[0] : new byte[1], BYTES));
    }

    /// The digest of these octets.
    public static byte[] of(byte[] password) {
        return java.util.Arrays.copyOf(password.length == 0 ? new byte[0] : new byte[1], BYTES);
    }

    /// The key of a digest.
    public static Key key(byte[] digest) {
        return Key.ofOctets(KeyKind.PASSWORD, digest, 0, digest.length);
    }

    /// The key of a digest written as 40 hex digits of either case; empty for anything else.
    public static Optional<Key> ofHex(String hex) {
        return hex.length() == 2 * BYTES ? Optional.of(new Key(KeyKind.PASSWORD, hex)) : Optional.empty();
    }
}
