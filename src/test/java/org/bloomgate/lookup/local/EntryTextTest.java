package org.bloomgate.lookup.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.PhoneNumbers;
import org.bloomgate.lookup.local.EntryText.Field;
import org.bloomgate.lookup.tier.Entry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EntryTextTest {
    @Test
    void line_hasAllFieldsInOrder() throws EntryRefusedException {
        Instant now = Instant.parse("2026-01-02T03:04:05Z");
        EntryText typed = EntryTexts.of("domain", "good.example")
                .with(Field.FEED, "spam")
                .with(Field.CATEGORY, "phishing")
                .with(Field.RECIPIENT_DOMAIN, "to.example")
                .with(Field.SENDER, "from.example")
                .with(Field.REASON, "why")
                .with(Field.EXPIRES, "7d")
                .with(Field.AUTHENTICATED, "false");
        Entry exception = EntryParser.parse(typed, Entry.Type.EXCEPTION, now).takingBack("TOKEN");
        assertEquals(
                """
                {"type":"exception","kind":"domain","value":"good.example","match":"suffix","feed":"spam",\
                "category":"phishing","recipientDomain":"to.example","sender":"from.example","reason":"why",\
                "author":"ada","added":"2026-01-02T03:04:05Z","expires":"2026-01-09T03:04:05Z","error":"TOKEN",\
                "authenticated":false}
                """, new String(LocalFormat.writeLines(Stream.of(EntryText.of(exception))), StandardCharsets.UTF_8));
    }

    @Test
    void matchBelow_isOfDomainsOnly() throws EntryRefusedException {
        Instant now = Instant.parse("2026-01-02T03:04:05Z");
        EntryText domain = EntryTexts.of("domain", "bad.example").with(Field.MATCH, "below");
        Entry listing = EntryParser.parse(domain, Entry.Type.LISTING, now);
        assertEquals(Match.BELOW, listing.match());
        assertEquals("below", EntryText.of(listing).get(Field.MATCH));
        EntryText url = EntryTexts.of("url", "http://bad.example/").with(Field.MATCH, "below");
        assertThrows(EntryRefusedException.class, () -> EntryParser.parse(url, Entry.Type.LISTING, now));
    }

    @ParameterizedTest
    @EnumSource(Match.class)
    void entryOfSameDomain_coversNarrowerMatches(Match match) throws EntryRefusedException {
        for (Match other : Match.values()) {
            assertEquals(
                    match.includes(other),
                    exception("bad.example", match).covers(exception("bad.example", other)),
                    match + " and " + other);
            assertEquals(
                    match != Match.EXACT, exception("bad.example", match).covers(exception("a.bad.example", other)));
        }
    }

    private static Entry exception(String domain, Match match) throws EntryRefusedException {
        return EntryParser.parse(
                EntryTexts.of("domain", domain).with(Field.MATCH, match.label()),
                Entry.Type.EXCEPTION,
                Instant.parse("2026-01-02T03:04:05Z"));
    }

    @Test
    void aPhoneNumberOfARegionNeedsNoCountryCode() throws EntryRefusedException {
        EntryText text = EntryText.of(KeyKind.PHONE, "030 12345678");
        assertEquals(
                "+493012345678",
                EntryParser.key(text.withCountryCode(new PhoneNumbers(List.of("DE"))))
                        .text());
        assertThrows(
                EntryRefusedException.class, () -> EntryParser.key(text.withCountryCode(PhoneNumbers.INTERNATIONAL)));
    }

    @Test
    void aPublicSuffixIsNoEntryUnlessItStandsAlone() throws EntryRefusedException {
        String machine = "ec2-192-0-2-1.compute-1.amazonaws.com";
        assertEquals(
                machine, EntryParser.key(EntryText.of(KeyKind.DOMAIN, machine)).text());
        EntryText region = EntryText.of(KeyKind.DOMAIN, "us-east-1.amazonaws.com");
        assertThrows(EntryRefusedException.class, () -> EntryParser.key(region));
    }

    @Test
    void whatIsNoPhoneNumberStaysAsItIs() {
        EntryText text = EntryText.of(KeyKind.URL, "http://a.example/030 12345678");
        assertEquals(text, text.withCountryCode(new PhoneNumbers(List.of("DE"))));
    }
}
