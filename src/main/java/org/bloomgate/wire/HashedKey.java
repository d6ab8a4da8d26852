package org.bloomgate.wire;

import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import org.bloomgate.key.ContentDigest;
import org.bloomgate.key.Key;
import org.bloomgate.key.KeyKind;

/// A key as pages of [PrefixPage] hold it: the first 16 octets of the SHA-256 of its kind's wire code and its octets.
///
/// Without a seed, so that a key stands behind one page for ever: with another one in each generation, who is asked
/// would learn another few bits of the same key every night. Of 128 bits no two keys are known to share all, so a key
/// that is not listed is not taken for one that is.
public final class HashedKey {
    /// Of a hash in a page.
    public static final int BYTES = 16;

    private HashedKey() {}

    public static byte[] of(Key key) {
        byte[] octets = key.octets();
        return of(key.kind(), octets, 0, octets.length);
    }

    /// @param octets hold those of the key between the two positions
    public static byte[] of(KeyKind kind, byte[] octets, int from, int to) {
        MessageDigest digest = ContentDigest.begin();
        digest.update((byte) kind.wireCode());
        digest.update(octets, from, to - from);
        return Arrays.copyOf(digest.digest(), BYTES);
    }

    /// As a page has it.
    public static String hex(byte[] hash) {
        return HexFormat.of().formatHex(hash);
    }
}
