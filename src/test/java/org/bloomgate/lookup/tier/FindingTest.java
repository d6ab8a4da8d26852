package org.bloomgate.lookup.tier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.core.key.Identifier;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.key.Use;
import org.junit.jupiter.api.Test;

/// What is left of a finding after the exceptions, for everybody and for the recipients at one domain.
class FindingTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final Key KEY = new Key(KeyKind.DOMAIN, "bad.example");
    private static final Listing SPAM = listing("spam");
    private static final Listing MALWARE = listing("malware");

    private static Listing listing(String feed) {
        return new Listing(feed, feed, KEY, Match.SUFFIX, Set.of(Use.LINK), NOW, NOW, 0);
    }

    private static ListingException exception(String feed, String recipientDomain) {
        Entry.Scope scope = new Entry.Scope(
                Optional.of(feed).filter(name -> !name.isEmpty()),
                Optional.empty(),
                Optional.of(recipientDomain).filter(name -> !name.isEmpty()));
        return Exceptions.of(KEY, Match.SUFFIX, scope);
    }

    private static Finding finding(Verdict found, ListingException... exceptions) {
        return new Finding(
                0, new Identifier(KeyKind.DOMAIN, "bad.example", Place.LINK, "link"), found, List.of(exceptions));
    }

    @Test
    void withoutAnExemptionItIsWhatTheLayersSay() {
        Verdict listed = new Verdict.Listed(List.of(SPAM, MALWARE));
        assertEquals(listed, finding(listed).verdict());
        assertEquals(listed, finding(listed).verdictFor("to.example"));
        assertEquals(List.of(), finding(listed).overridden());
    }

    @Test
    void anExemptionOfOneFeedLeavesTheListingsOfTheOthers() {
        Finding finding = finding(new Verdict.Listed(List.of(SPAM, MALWARE)), exception("spam", ""));
        assertEquals(new Verdict.Listed(List.of(MALWARE)), finding.verdict());
        assertEquals(List.of(new Finding.Overridden(Optional.of(SPAM), exception("spam", ""))), finding.overridden());
    }

    @Test
    void whenEveryListingIsOverriddenItIsClean() {
        Verdict listed = new Verdict.Listed(List.of(SPAM, MALWARE));
        assertInstanceOf(Verdict.Clean.class, finding(listed, exception("", "")).verdict());
        assertInstanceOf(
                Verdict.Clean.class,
                finding(listed, exception("spam", ""), exception("malware", "")).verdict());
    }

    @Test
    void anExemptionForOneDomainHoldsForItsRecipientsOnly() {
        Verdict listed = new Verdict.Listed(List.of(SPAM));
        Finding finding = finding(listed, exception("", "to.example"));
        assertEquals(listed, finding.verdict());
        assertEquals(listed, finding.verdictFor("other.example"));
        assertInstanceOf(Verdict.Clean.class, finding.verdictFor("to.example"));
    }

    @Test
    void nobodyHasToBeAskedAboutWhatIsExemptedWhoeverListsIt() {
        Verdict unresolved = new Verdict.Unresolved("late", Set.of("phishing"));
        assertInstanceOf(
                Verdict.Clean.class, finding(unresolved, exception("", "")).verdict());
        assertEquals(unresolved, finding(unresolved, exception("spam", "")).verdict(), "it may be another feed");
        assertEquals(
                unresolved, finding(unresolved, exception("", "to.example")).verdict());
        assertInstanceOf(
                Verdict.Clean.class,
                finding(unresolved, exception("", "to.example")).verdictFor("to.example"));
        assertEquals(
                List.of(new Finding.Overridden(Optional.empty(), exception("", ""))),
                finding(unresolved, exception("", ""), exception("spam", "")).overridden());
    }

    @Test
    void anExemptionForEverybodyIsNamedInsteadOfThoseForSome() {
        Verdict listed = new Verdict.Listed(List.of(SPAM));
        assertEquals(
                List.of(new Finding.Overridden(Optional.of(SPAM), exception("", ""))),
                finding(listed, exception("spam", "to.example"), exception("", ""))
                        .overridden());
        assertEquals(
                2,
                finding(listed, exception("spam", "to.example"), exception("", "other.example"))
                        .overridden()
                        .size());
    }
}
