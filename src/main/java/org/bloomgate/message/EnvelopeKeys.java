package org.bloomgate.message;

import java.util.Optional;
import org.bloomgate.key.Identifier;
import org.bloomgate.key.KeyBatch;
import org.bloomgate.key.KeyKind;
import org.bloomgate.key.MailAddress;
import org.bloomgate.key.Place;
import org.bloomgate.key.PublicSuffixes;

/// The keys of an envelope.
public final class EnvelopeKeys {
    private EnvelopeKeys() {}

    /// The reverse-path's address and domains at place ENVELOPE; nothing for the null reverse-path.
    ///
    /// @param reversePath without angle brackets; empty for `<>`
    public static void sender(String reversePath, PublicSuffixes suffixes, KeyBatch batch) {
        Optional<MailAddress> sender = MailAddress.parse(reversePath);
        if (sender.isPresent()) {
            String value = sender.get().text();
            batch.begin(new Identifier(KeyKind.ADDRESS, value, Place.ENVELOPE, Place.ENVELOPE.label()));
            sender.get().append(suffixes, batch);
        }
    }
}
