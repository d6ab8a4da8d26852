package org.bloomgate.core.key;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import org.bloomgate.core.url.Host;

/// What holds for any bytes taken as a host, an entry of a feed, a text of words or a password: nothing is
/// thrown and each form is within its bounds.
public final class FormFuzz {
    private static final FeedKeys FEED_KEYS = new FeedKeys(PublicSuffixes.bundled());

    private FormFuzz() {}

    /// The name that Jazzer looks for.
    public static void fuzzerTestOneInput(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        Host.parse(text)
                .ifPresent(host -> Batches.keys(
                        KeyKind.DOMAIN, batch -> DomainKeys.append(host, PublicSuffixes.bundled(), batch)));
        for (KeyKind kind : KeyKind.values()) {
            FEED_KEYS.of(kind, text);
        }
        Canonicalization.steps(text);
        TextUnits units = new TextUnits();
        new Words().split(text, 1000, units);
        Batches.keys(KeyKind.KEYWORD, units::addTermsTo)
                .forEach(term -> assertTrue(term.length() <= Words.MAX_CHARS * 16, term));
        PasswordDigest.candidates(text.toCharArray());
    }
}
