package org.bloomgate.content.mime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.bloomgate.content.links.Inspection;
import org.bloomgate.core.key.Identifier;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.MailAddress;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.limit.Limit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EnvelopeKeysTest {
    private final KeyBatch batch = new KeyBatch();

    @Test
    void theSenderIsOneIdentifierWithAddressAndDomainKeys() {
        EnvelopeKeys.appendSender("Joe+x@Mail.A.Example", PublicSuffixes.bundled(), batch);
        Identifier sender = new Identifier(KeyKind.ADDRESS, "joe+x@mail.a.example", Place.ENVELOPE, "envelope");
        assertEquals(List.of(sender), batch.identifiers());
        assertTrue(batch.size() >= 4, () -> "keys: " + batch.size());
    }

    @Test
    void aSenderWithinMoreRewritingsThanAreUndoneIsALimit() {
        String rewritten = "prvs=1=".repeat(MailAddress.MAX_REWRITES) + "a@listed.example";
        assertEquals(Inspection.COMPLETE, EnvelopeKeys.appendSender(rewritten, PublicSuffixes.bundled(), batch));
        Inspection beyond = EnvelopeKeys.appendSender("prvs=1=" + rewritten, PublicSuffixes.bundled(), batch);
        assertEquals(Set.of(Limit.REWRITES), beyond.limits());
    }

    @Test
    void theNullReversePathHasNoKeys() {
        EnvelopeKeys.appendSender("", PublicSuffixes.bundled(), batch);
        assertEquals(0, batch.size());
        assertEquals(List.of(), batch.identifiers());
    }

    @Test
    void whatIsNoAddressHasNoKeys() {
        EnvelopeKeys.appendSender("postmaster", PublicSuffixes.bundled(), batch);
        assertEquals(0, batch.size());
    }

    /// Paths that are valid and whose local part is made for a reader of header fields to stumble over.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"\"@listed.example",
                "\"<a@other.example>\"@listed.example",
                "\"a@other.example\"@listed.example",
                "\"(\"@listed.example",
                "%3ca%40other.example%3e@listed.example",
                "%6dailto%3aa%40other.example?@listed.example"
            })
    void theDomainOfThePathIsAskedWhateverTheLocalPartIs(String path) {
        EnvelopeKeys.appendSender(path, PublicSuffixes.bundled(), batch);
        byte[] listed = "listed.example".getBytes(StandardCharsets.US_ASCII);
        Key domain = Key.ofBytes(KeyKind.DOMAIN, listed, 0, listed.length);
        assertTrue(
                IntStream.range(0, batch.size()).mapToObj(batch::key).anyMatch(domain::equals),
                () -> "identifiers: " + batch.identifiers());
    }
}
