package org.bloomgate.core.lookalike;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.url.Host;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LookAlikesTest {
    private static final LookAlikes GUARD = new LookAlikes(
            List.of("goldenbank.example", "microbook.example", "contoso.co.uk", "doclow.example"),
            People.NONE,
            List.of("goldenbanks.example"));

    private static Optional<LookAlike> find(String name) {
        return GUARD.find(Host.parse(name).orElseThrow().text(), PublicSuffixes.bundled());
    }

    @ParameterizedTest
    @CsvSource({
        "g0ldenbank.example, goldenbank.example, homoglyph",
        "goldenbаnk.example, goldenbank.example, homoglyph",
        "gоldеnbаnk.example, goldenbank.example, homoglyph",
        "ɢoldenbank.example, goldenbank.example, homoglyph",
        "ｇoldenbank.example.evil.test, goldenbank.example, subdomain",
        "goldenbánķ.example, goldenbank.example, homoglyph",
        "rnicrobook.example, microbook.example, homoglyph",
        "microb00k.example, microbook.example, homoglyph",
        "ćóntoso.co.uk, contoso.co.uk, homoglyph",
        "dodow.example, doclow.example, homoglyph",
        "doclovv.example, doclow.example, homoglyph",
        "golddnbank.example, goldenbank.example, bitsquatting",
        "godlenbank.example, goldenbank.example, transposition",
        "goldenbak.example, goldenbank.example, omission",
        "gooldenbank.example, goldenbank.example, repetition",
        "gpldenbank.example, goldenbank.example, replacement",
        "goldenbankl.example, goldenbank.example, insertion",
        "goldenbonk.example, goldenbank.example, vowel-swap",
        "golden-bank.example, goldenbank.example, hyphenation",
        "microbooks.example, microbook.example, plural",
        "goldenbank7.example, goldenbank.example, addition",
        "goldenbank-login.test, goldenbank.example, dictionary",
        "secure-goldenbank.example, goldenbank.example, dictionary",
        "goldenbank-example.test, goldenbank.example, dictionary",
        "goldenbank.xyz, goldenbank.example, tld-swap",
        "golden.bank.example, goldenbank.example, subdomain",
        "goldenbank.example.login.test, goldenbank.example, subdomain",
        "www.g0ldenbank.example, goldenbank.example, homoglyph",
    })
    void nameThatDiffersBySlipBitOrGlanceLooksLikeTheProtectedOne(String name, String of, String trick) {
        assertEquals(
                of + " " + trick,
                find(name).map(like -> like.of() + " " + like.trick().label()).orElse("none"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "goldenbank.example",
                "www.goldenbank.example",
                "login.microbook.example",
                "goldenbanks.example",
                "mail.goldenbanks.example",
                "goldenbank.test",
                "silverbank.example",
                "goldencrown.example",
                "goldenbank.customer.test",
                "example",
                "co.uk"
            })
    void protectedAndAllowedNamesAndAllBelowThemLookLikeNobody(String name) {
        assertEquals(Optional.empty(), find(name));
    }

    @Test
    void nothingIsFoundWhileNothingIsProtected() {
        assertTrue(LookAlikes.NONE.isEmpty());
        assertEquals(Optional.empty(), LookAlikes.NONE.find("g0ldenbank.example", PublicSuffixes.bundled()));
    }

    @Test
    void everyFormThatIsToldIsFound() {
        LookAlikes.forEachImitation(
                "goldenbank.example",
                (trick, form) -> Host.parse(form)
                        .map(Host::text)
                        .filter(host -> !host.equals("goldenbank.example") && !host.equals("goldenbanks.example"))
                        .filter(host -> !PublicSuffixes.bundled().isPublicSuffix(host))
                        .ifPresent(host -> assertEquals(
                                Optional.of("goldenbank.example"),
                                find(host).map(LookAlike::of),
                                trick.label() + " " + host)));
    }

    @Test
    void formsOfLongestNameAreBounded() {
        String label = "mwdklhbiggn0u1vq".repeat(4).substring(1);
        LookAlikes guard = new LookAlikes(List.of(label + ".example"), People.NONE, List.of());
        assertEquals(LookAlikes.MAX_FORMS, guard.size());
        assertTrue(guard.find(label.replaceFirst("h", "") + ".example", PublicSuffixes.bundled())
                .isPresent());
    }

    @Test
    void moreNamesThanTheLimitAreRefused() {
        List<String> names = IntStream.rangeClosed(0, LookAlikes.MAX_NAMES)
                .mapToObj(i -> "n" + i + ".example")
                .toList();
        assertThrows(IllegalArgumentException.class, () -> new LookAlikes(names, People.NONE, List.of()));
    }

    @Test
    void morePeopleThanTheLimitAreRefused() {
        Map<String, List<String>> people = IntStream.rangeClosed(0, People.MAX_PEOPLE)
                .boxed()
                .collect(Collectors.toMap(i -> "Jane Doe" + i, _ -> List.of()));
        assertThrows(IllegalArgumentException.class, () -> new People(people));
    }
}
