package org.bloomgate.lookup.tier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Use;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ListingExceptionTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    private static ListingException of(KeyKind kind, String text, Match match, Entry.Scope scope) {
        return Exceptions.of(new Key(kind, text), match, scope);
    }

    private static ListingException of(KeyKind kind, String text) {
        return of(kind, text, Match.SUFFIX, Entry.Scope.EVERYTHING);
    }

    private static Entry.Scope scope(String feed, String category, String domain) {
        return new Entry.Scope(given(feed), given(category), given(domain));
    }

    private static Optional<String> given(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }

    private static Listing listing(KeyKind kind, String text) {
        return new Listing("spam", "phishing", new Key(kind, text), Match.SUFFIX, Set.of(Use.LINK), NOW, NOW, 0);
    }

    @ParameterizedTest
    @CsvSource({
        "partner.example, news@partner.example, true",
        "partner.example, news@bounce.partner.example, true",
        "partner.example, news@notpartner.example, false",
        "partner.example, partner.example@other.example, false",
        "partner.example, '', false",
        "news@partner.example, news@partner.example, true",
        "news@partner.example, sales@partner.example, false"
    })
    void oneOfASenderHoldsInItsMailAlone(String sender, String mailFrom, boolean holds) {
        Entry.Scope scope = new Entry.Scope(Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(sender));
        ListingException exception = of(KeyKind.DOMAIN, "bad.example", Match.SUFFIX, scope);
        assertEquals(holds, exception.scope().includesSender(mailFrom));
        assertFalse(exception.scope().includesAllSenders());
        assertFalse(exception.scope().coversWholeMessages(exception.key()));
        assertFalse(exception.overrides(listing(KeyKind.DOMAIN, "other.example")));
        assertTrue(exception.text().contains("mail of " + sender), exception::text);
    }

    @Test
    void oneOfASendersOwnNameIsAboutWhateverItsMailHolds() {
        Entry.Scope scope = new Entry.Scope(
                Optional.of("spam"), Optional.empty(), Optional.empty(), Optional.of("partner.example"));
        ListingException exception = of(KeyKind.DOMAIN, "partner.example", Match.SUFFIX, scope);
        assertTrue(exception.scope().coversWholeMessages(exception.key()));
        assertTrue(exception.overrides(listing(KeyKind.DOMAIN, "bad.example")));
        ListingException ofOther = of(
                KeyKind.DOMAIN,
                "partner.example",
                Match.SUFFIX,
                new Entry.Scope(
                        Optional.of("ham"), Optional.empty(), Optional.empty(), Optional.of("partner.example")));
        assertFalse(ofOther.overrides(listing(KeyKind.DOMAIN, "bad.example")), "another feed");
    }

    @ParameterizedTest
    @CsvSource({
        "'', '', true",
        "spam, '', true",
        "'', phishing, true",
        "spam, phishing, true",
        "ham, '', false",
        "'', malware, false",
        "spam, malware, false",
        "Spam, '', false"
    })
    void aScopeNamesTheFeedAndTheCategoryOfWhatIsOverridden(String feed, String category, boolean overrides) {
        ListingException exception = of(KeyKind.DOMAIN, "bad.example", Match.SUFFIX, scope(feed, category, ""));
        assertEquals(overrides, exception.overrides(listing(KeyKind.DOMAIN, "bad.example")));
        assertEquals(feed.isEmpty() && category.isEmpty(), exception.scope().includesAllListings());
    }

    @ParameterizedTest
    @CsvSource({
        "DOMAIN, bad.example, DOMAIN, bad.example, true",
        "DOMAIN, www.bad.example, DOMAIN, bad.example, true",
        "DOMAIN, bad.example, DOMAIN, www.bad.example, true",
        "DOMAIN, notbad.example, DOMAIN, bad.example, false",
        "DOMAIN, other.example, DOMAIN, bad.example, false",
        "DOMAIN, bad.example, URL, www.bad.example/x, true",
        "URL, bad.example/x, DOMAIN, bad.example, true",
        "URL, bad.example/x, URL, good.example/x, false",
        "ADDRESS, a@bad.example, DOMAIN, bad.example, true",
        "ADDRESS, a@bad.example, ADDRESS, b@good.example, false",
        "KEYWORD, bad.example, DOMAIN, bad.example, false",
        "KEYWORD, word, KEYWORD, word, true",
        "KEYWORD, word, KEYWORD, words, false"
    })
    void onlyListingsOfTheSameHostsAreOverridden(
            KeyKind kind, String exempted, KeyKind listedKind, String listed, boolean overrides) {
        assertEquals(overrides, of(kind, exempted).overrides(listing(listedKind, listed)));
    }

    @Test
    void aRecipientDomainIsOneDomainAndNotThoseBelow() {
        ListingException exception = of(KeyKind.DOMAIN, "bad.example", Match.SUFFIX, scope("", "", "to.example"));
        assertFalse(exception.scope().includesAllRecipients());
        assertTrue(exception.scope().includesRecipientsAt("to.example"));
        assertFalse(exception.scope().includesRecipientsAt("sub.to.example"));
        assertFalse(exception.scope().includesRecipientsAt(""), "nobody in particular");
        assertTrue(of(KeyKind.DOMAIN, "bad.example").scope().includesRecipientsAt(""));
        assertTrue(of(KeyKind.DOMAIN, "bad.example").scope().includesRecipientsAt("any.example"));
    }

    @Test
    void theNarrowestComesFirstWhateverTheOrderTheyWereMadeIn() {
        List<ListingException> narrowestFirst = List.of(
                of(KeyKind.DOMAIN, "bad.example", Match.SUFFIX, scope("spam", "phishing", "to.example")),
                of(KeyKind.DOMAIN, "bad.example", Match.SUFFIX, scope("spam", "phishing", "")),
                of(KeyKind.DOMAIN, "bad.example", Match.EXACT, scope("spam", "", "")),
                of(KeyKind.DOMAIN, "www.bad.example", Match.SUFFIX, scope("spam", "", "")),
                of(KeyKind.DOMAIN, "bad.example", Match.SUFFIX, scope("spam", "", "")),
                of(KeyKind.DOMAIN, "www.bad.example", Match.EXACT, Entry.Scope.EVERYTHING),
                of(KeyKind.DOMAIN, "bad.example", Match.SUFFIX, Entry.Scope.EVERYTHING));
        Random random = new Random(3);
        for (int round = 0; round < 50; round++) {
            List<ListingException> mixed = new ArrayList<>(narrowestFirst);
            Collections.shuffle(mixed, random);
            mixed.sort(ListingException.NARROWEST_FIRST);
            assertEquals(narrowestFirst, mixed);
        }
    }

    @Test
    void itsTextNamesEverythingButAPassword() {
        ListingException domain = new ListingException(
                new Entry(
                        Entry.Type.EXCEPTION,
                        new Key(KeyKind.DOMAIN, "bad.example"),
                        Match.EXACT,
                        scope("spam", "phishing", "to.example"),
                        new Entry.Terms("a customer", "ada", NOW, Optional.of(NOW), Optional.empty(), true)),
                EntryOrigin.HERE);
        assertEquals(
                "exception of domain bad.example, match exact, feed spam, category phishing, recipients at to.example,"
                        + " by ada at 2026-01-02T03:04:05Z, because: a customer, until 2026-01-02T03:04:05Z",
                domain.text());
        String digest = "ab".repeat(20);
        String password = of(KeyKind.PASSWORD, digest).text();
        assertEquals("exception of password, match suffix, by ada at 2026-01-02T03:04:05Z, without end", password);
    }
}
