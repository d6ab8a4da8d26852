package org.bloomgate.core.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.bloomgate.HostileText;
import org.bloomgate.Rounds;
import org.bloomgate.core.url.CanonicalUrl;
import org.bloomgate.core.url.Host;
import org.bloomgate.core.url.LinkUnwrapping;
import org.bloomgate.core.url.Utf8;
import org.junit.jupiter.api.Test;

/// For any text: no form throws, each is within its bounds however much it grows on the way, and a form that
/// was made stays the same when it is read again.
class CanonicalFormPropertyTest {
    private static final int ROUNDS = Rounds.of(10_000);

    /// What a feed's key may have, by the package `rebuild`.
    private static final int MAX_KEY_BYTES = 16 * 1024 - 1;

    private static final FeedKeys FEED_KEYS = new FeedKeys(PublicSuffixes.bundled());

    private static void forAny(long seed, Consumer<String> property) {
        HostileText hostile = new HostileText(seed);
        for (int i = 0; i < ROUNDS; i++) {
            String text = hostile.text(12);
            property.accept(i % 2 == 0 ? text : hostile.wideHost() + text);
        }
    }

    @Test
    void anyHost_isBoundedAscii() {
        forAny(
                20260401,
                text -> Host.parse(text).ifPresent(host -> {
                    assertTrue(host.text().length() <= 3 * Utf8.MAX, text);
                    assertTrue(host.text().chars().allMatch(c -> c > ' ' && c < 0x7f), text);
                    keys(KeyKind.DOMAIN, batch -> DomainKeys.append(host, PublicSuffixes.bundled(), batch));
                }));
    }

    @Test
    void anyUrl_isBoundedAndStable() {
        forAny(
                20260402,
                text -> CanonicalUrl.parse(text).ifPresent(url -> {
                    assertTrue(url.bytes().length <= Utf8.MAX, text);
                    assertEquals(Optional.of(url), CanonicalUrl.parse(url.text()), text);
                    keys(KeyKind.URL, batch -> UrlExpressions.append(url, PublicSuffixes.bundled(), batch));
                }));
    }

    @Test
    void anyWrappedLink_hasBoundedTargets() {
        forAny(
                20260403,
                text -> LinkUnwrapping.targets("http://r.example/?u=" + text)
                        .forEach(target -> assertTrue(target.length() <= 2 * Utf8.MAX, text)));
    }

    @Test
    void anyText_canonicalizesTheSameTwice() {
        forAny(20260404, text -> {
            Canonicalization.steps(text);
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            assertEquals(
                    Canonicalization.of(bytes, PublicSuffixes.bundled()),
                    Canonicalization.of(bytes, PublicSuffixes.bundled()));
        });
    }

    @Test
    void anyAddress_hasBoundedKeys() {
        forAny(
                20260405,
                text -> MailAddress.parse("joe@" + text)
                        .or(() -> MailAddress.parse(text + "@b.example"))
                        .ifPresent(address ->
                                keys(KeyKind.ADDRESS, batch -> address.append(PublicSuffixes.bundled(), batch))));
    }

    @Test
    void anyText_hasBoundedTerms() {
        forAny(20260406, text -> {
            TextUnits units = new TextUnits();
            new Words().split(text, 1000, units);
            Batches.keys(KeyKind.KEYWORD, units::addTermsTo)
                    .forEach(term -> assertTrue(term.length() <= Words.MAX_CHARS * 16, text));
        });
    }

    @Test
    void anyPassword_isDigested() {
        forAny(20260407, text -> PasswordDigest.candidates(text.toCharArray()));
    }

    @Test
    void anyFeedEntry_hasABoundedKey() {
        forAny(20260408, text -> {
            for (KeyKind kind : KeyKind.values()) {
                if (FEED_KEYS.of(kind, text) instanceof FeedKey.Taken(Key key)) {
                    assertTrue(key.bytes().length <= MAX_KEY_BYTES, text);
                }
            }
        });
    }

    @Test
    void foldedAddress_isBounded() {
        String note = "\ud834\udd60";
        int each = 6;
        int most = (AddressParser.MAX_CHARS - "@b.example".length()) / each;
        Optional<MailAddress> longest = MailAddress.parse(note.repeat(most) + "@b.example");
        assertEquals(longest, MailAddress.parse(longest.orElseThrow().text()));
        assertEquals(Optional.empty(), MailAddress.parse(note.repeat(most + 1) + "@b.example"));
    }

    @Test
    void hostTooLong_givesItsRegistrableDomain() {
        String wide = "\ufdfa".repeat(330);
        List<String> queried = Batches.keys(
                KeyKind.DOMAIN,
                batch -> DomainKeys.append(
                        Host.parse(wide + ".listed.example").orElseThrow(), PublicSuffixes.bundled(), batch));
        assertEquals(List.of("listed.example"), queried);
    }

    private static void keys(KeyKind kind, Consumer<KeyBatch> append) {
        KeyBatch batch = new KeyBatch();
        batch.begin(new Identifier(kind, "", Place.LINK, "link"));
        append.accept(batch);
        for (int i = 0; i < batch.size(); i++) {
            assertTrue(batch.end(i) - batch.start(i) <= 3 * Utf8.MAX);
        }
    }
}
