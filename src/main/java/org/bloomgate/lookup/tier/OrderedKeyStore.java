package org.bloomgate.lookup.tier;

import java.io.IOException;
import java.util.Set;
import org.bloomgate.core.key.KeyKind;

/// An exact tier that can also show the keys it holds in order, for questions about all digests that begin alike.
/// Thread-safe.
public interface OrderedKeyStore {

    /// The lengths in bytes that the digests of passwords have: 20 when there are SHA-1s, 16 when there are NTLM
    /// digests. A length that is absent says nothing about any password.
    Set<Integer> passwordDigestBytes();

    /// Shows every key of the kind between two bounds, in ascending order of unsigned bytes.
    ///
    /// @param from first bytes, inclusive; empty for the first key of the kind
    /// @param to last bytes, exclusive; empty for the last key of the kind
    /// @throws IOException when not every key could be shown
    void forEach(KeyKind kind, byte[] from, byte[] to, Visitor visitor) throws IOException;

    /// Takes one key after the other.
    @FunctionalInterface
    interface Visitor {

        /// @param bytes hold the key between the two positions; valid for this call
        /// @param count the highest of all feeds, 0 when none counts
        /// @throws IOException to end the walk
        void key(byte[] bytes, int from, int to, long count) throws IOException;
    }
}
