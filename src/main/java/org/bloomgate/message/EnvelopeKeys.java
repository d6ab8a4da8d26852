package org.bloomgate.message;

import org.bloomgate.key.KeyBatch;
import org.bloomgate.key.PublicSuffixes;

/// The keys of an envelope.
public final class EnvelopeKeys {
    private EnvelopeKeys() {}

    /// The reverse-path's address and domains at place ENVELOPE; nothing for the null reverse-path.
    ///
    /// @param reversePath without angle brackets; empty for `<>`
    public static void sender(String reversePath, PublicSuffixes suffixes, KeyBatch batch) {
        batch.append(reversePath);
    }
}
