package org.bloomgate.decision.evaluation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.PasswordDigest;
import org.bloomgate.core.key.PhoneNumbers;
import org.bloomgate.core.key.Use;
import org.bloomgate.lookup.tier.LayerSource;
import org.bloomgate.lookup.tier.LookupCounts;
import org.bloomgate.lookup.tier.TwoTierLookup;
import org.bloomgate.lookup.tier.Verdict;
import org.bloomgate.server.api.SmallLayer;
import org.bloomgate.server.http.AnswerJson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ValueCheckTest {

    private static ValueCheck checking(LayerSource layers) {
        return new ValueCheck(
                layers, new TwoTierLookup(Duration.ofSeconds(1), new LookupCounts()), new PhoneNumbers(List.of("DE")));
    }

    private static CheckResult check(SmallLayer layer, KeyKind kind, String value) {
        return checking(layer.inForce()).check(kind, value).orElseThrow();
    }

    static Key passwordKey(String password) {
        return PasswordDigest.key(PasswordDigest.of(password.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void aListedDomainIsThisJson() {
        SmallLayer layer = new SmallLayer().lists(KeyKind.DOMAIN, "evil.example");
        assertEquals("""
                {"kind":"domain","value":"WWW.Evil.example","verdict":"listed","listings":[{"feed":"sample",\
                "category":"phishing","key":"evil.example","firstSeen":"2026-01-02T03:04:05Z",\
                "lastSeen":"2026-03-04T05:06:07Z"}],"suspect":true}\
                """, AnswerJson.line(check(layer, KeyKind.DOMAIN, "WWW.Evil.example")));
    }

    @Test
    void aPhoneNumberIsAskedWithoutItsCountryCodeToo() {
        SmallLayer layer = new SmallLayer().lists(KeyKind.PHONE, "+493012345678");
        assertEquals(
                Verdict.Kind.LISTED, check(layer, KeyKind.PHONE, "030 12345678").verdict());
        assertEquals("030 12345678", check(layer, KeyKind.PHONE, "030 12345678").value());
        assertEquals(
                Verdict.Kind.CLEAN, check(layer, KeyKind.PHONE, "040 12345678").verdict());
        assertTrue(checking(layer.inForce()).check(KeyKind.PHONE, "12").isEmpty());
    }

    @Test
    void whatItIsToldToUseIsUsedFromNowOn() {
        SmallLayer layer = new SmallLayer().lists(KeyKind.PHONE, "+442012345678");
        ValueCheck checking = checking(layer.inForce());
        LookupCounts counts = new LookupCounts();
        TwoTierLookup lookup = new TwoTierLookup(Duration.ofSeconds(1), counts);
        PhoneNumbers british = new PhoneNumbers(List.of("GB"));
        checking.setLookup(lookup, british);
        assertSame(lookup, checking.lookup());
        assertSame(british, checking.phones());
        assertEquals(
                Verdict.Kind.LISTED,
                checking.check(KeyKind.PHONE, "020 12345678").orElseThrow().verdict());
        assertTrue(counts.keys() > 0);
        assertEquals(1, checking.lease().layers().size());
    }

    @Test
    void aFileIsAskedByItsDigestInEitherCase() {
        String digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        SmallLayer layer = new SmallLayer().lists(KeyKind.HASH, digest);
        CheckResult listed = check(layer, KeyKind.HASH, digest.toUpperCase(Locale.ROOT));
        assertEquals(Verdict.Kind.LISTED, listed.verdict());
        assertEquals(digest, listed.listings().getFirst().key());
        assertEquals(
                Verdict.Kind.CLEAN,
                check(layer, KeyKind.HASH, digest.replace('b', '0')).verdict());
        assertTrue(checking(layer.inForce()).check(KeyKind.HASH, "abc").isEmpty());
    }

    @Test
    void aWordIsAskedByItsFoldedForm() {
        SmallLayer layer = new SmallLayer().lists(KeyKind.KEYWORD, "strasse");
        assertEquals(
                Verdict.Kind.LISTED,
                check(layer, KeyKind.KEYWORD, "Stra\u00dfe").verdict());
        assertEquals(Verdict.Kind.CLEAN, check(layer, KeyKind.KEYWORD, "weg").verdict());
        assertEquals(
                Verdict.Kind.CLEAN, check(layer, KeyKind.KEYWORD, "two words").verdict());
    }

    @Test
    void withoutAListOfFilesNoFileIsClean() {
        SmallLayer layer = new SmallLayer().lists(KeyKind.DOMAIN, "evil.example");
        assertEquals(
                Verdict.Kind.UNRESOLVED,
                check(layer, KeyKind.HASH, "0".repeat(64)).verdict());
    }

    @Test
    void aCleanValueIsThisJson() {
        SmallLayer layer = new SmallLayer().lists(KeyKind.DOMAIN, "evil.example");
        assertEquals(
                "{\"kind\":\"url\",\"value\":\"http://good.example/\",\"verdict\":\"clean\",\"listings\":[],"
                        + "\"suspect\":false}",
                AnswerJson.line(check(layer, KeyKind.URL, "http://good.example/")));
    }

    @ParameterizedTest
    @EnumSource(Use.class)
    void aListingIsFoundWhateverItsFeedIsFor(Use use) {
        SmallLayer layer = new SmallLayer().lists(KeyKind.DOMAIN, "evil.example", use, 0);
        assertEquals(
                Verdict.Kind.LISTED,
                check(layer, KeyKind.DOMAIN, "evil.example").verdict());
        assertEquals(
                Verdict.Kind.LISTED,
                check(layer, KeyKind.URL, "https://a.evil.example/x").verdict());
        assertEquals(
                Verdict.Kind.LISTED,
                check(layer, KeyKind.ADDRESS, "a@evil.example").verdict());
    }

    @Test
    void aTargetWrappedInsideALinkIsFound() {
        SmallLayer layer = new SmallLayer().lists(KeyKind.DOMAIN, "evil.example");
        String wrapped = "https://redirect.example/go?url=https%3A%2F%2Fevil.example%2Flogin";
        assertEquals(Verdict.Kind.LISTED, check(layer, KeyKind.URL, wrapped).verdict());
    }

    @Test
    void aFalsePositiveIsSuspectAndClean() {
        SmallLayer layer = new SmallLayer().collides(new Key(KeyKind.DOMAIN, "good.example"));
        CheckResult result = check(layer, KeyKind.DOMAIN, "good.example");
        assertEquals(Verdict.Kind.CLEAN, result.verdict());
        assertTrue(result.suspect());
    }

    @Test
    void aSilentExactTierLeavesASuspectUnresolved() {
        SmallLayer layer =
                new SmallLayer().lists(KeyKind.DOMAIN, "evil.example").fallSilent();
        CheckResult result = check(layer, KeyKind.DOMAIN, "evil.example");
        assertEquals(Verdict.Kind.UNRESOLVED, result.verdict());
        assertEquals("nightly: silent", result.reason());
        assertEquals(
                Verdict.Kind.CLEAN, check(layer, KeyKind.DOMAIN, "good.example").verdict());
    }

    @Test
    void withoutASnapshotNothingIsClean() {
        CheckResult result = checking(SmallLayer.none())
                .check(KeyKind.DOMAIN, "good.example")
                .orElseThrow();
        assertEquals(Verdict.Kind.UNRESOLVED, result.verdict());
        assertFalse(result.suspect());
    }

    @Test
    void aPasswordIsNeverEchoedNorItsWholeDigest() {
        SmallLayer layer =
                new SmallLayer().lists(KeyKind.PASSWORD, passwordKey("hunter2").text(), Use.LINK, 17);
        assertEquals("""
                {"kind":"password","verdict":"listed","listings":[{"feed":"sample","category":"phishing",\
                "key":"F3BBB","firstSeen":"2026-01-02T03:04:05Z","lastSeen":"2026-03-04T05:06:07Z"}],\
                "suspect":true}\
                """, AnswerJson.line(check(layer, KeyKind.PASSWORD, "hunter2")));
        String clean = AnswerJson.line(check(layer, KeyKind.PASSWORD, "correct horse"));
        assertEquals("{\"kind\":\"password\",\"verdict\":\"clean\",\"listings\":[],\"suspect\":false}", clean);
    }

    @Test
    void aPasswordTypedInDecomposedFormIsFound() {
        SmallLayer layer = new SmallLayer()
                .lists(KeyKind.PASSWORD, passwordKey("gr\u00fcn").text(), Use.LINK, 1);
        assertEquals(
                Verdict.Kind.LISTED,
                check(layer, KeyKind.PASSWORD, "gru\u0308n").verdict());
    }

    @Test
    void withoutAPasswordListNoPasswordIsClean() {
        SmallLayer layer = new SmallLayer().lists(KeyKind.DOMAIN, "evil.example");
        assertEquals(
                Verdict.Kind.UNRESOLVED,
                check(layer, KeyKind.PASSWORD, "correct horse").verdict());
    }

    @ParameterizedTest
    @CsvSource({
        "ADDRESS, no address",
        "ADDRESS, @evil.example",
        "DOMAIN, ''",
        "URL, mailto:a@evil.example",
        "URL, ''",
        "PASSWORD, ''",
        "PASSWORD, \ud800",
        "HASH, 00",
        "KEYWORD, one two three four five"
    })
    void aValueWithoutCanonicalFormHasNoAnswer(KeyKind kind, String value) {
        SmallLayer layer = new SmallLayer().lists(KeyKind.DOMAIN, "evil.example");
        assertEquals(Optional.empty(), checking(layer.inForce()).check(kind, value));
    }
}
