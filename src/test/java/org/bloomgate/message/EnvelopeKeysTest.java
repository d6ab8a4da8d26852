package org.bloomgate.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.bloomgate.key.Identifier;
import org.bloomgate.key.KeyBatch;
import org.bloomgate.key.KeyKind;
import org.bloomgate.key.Place;
import org.bloomgate.key.PublicSuffixes;
import org.junit.jupiter.api.Test;

class EnvelopeKeysTest {
    private final KeyBatch batch = new KeyBatch();

    @Test
    void theSenderIsOneIdentifierWithAddressAndDomainKeys() {
        EnvelopeKeys.sender("Joe+x@Mail.A.Example", PublicSuffixes.bundled(), batch);
        Identifier sender = new Identifier(KeyKind.ADDRESS, "joe+x@mail.a.example", Place.ENVELOPE, "envelope");
        assertEquals(List.of(sender), batch.identifiers());
        assertTrue(batch.size() >= 4, () -> "keys: " + batch.size());
    }

    @Test
    void theNullReversePathHasNoKeys() {
        EnvelopeKeys.sender("", PublicSuffixes.bundled(), batch);
        assertEquals(0, batch.size());
        assertEquals(List.of(), batch.identifiers());
    }

    @Test
    void whatIsNoAddressHasNoKeys() {
        EnvelopeKeys.sender("postmaster", PublicSuffixes.bundled(), batch);
        assertEquals(0, batch.size());
    }
}
