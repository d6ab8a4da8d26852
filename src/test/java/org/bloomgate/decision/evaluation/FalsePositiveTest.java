package org.bloomgate.decision.evaluation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.bloomgate.base.audit.Actor;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.PhoneNumbers;
import org.bloomgate.decision.journal.Decision;
import org.bloomgate.decision.journal.Decision.RecordedFinding;
import org.bloomgate.lookup.local.EntryRefusedException;
import org.bloomgate.lookup.local.EntryService;
import org.bloomgate.lookup.local.EntryText;
import org.bloomgate.lookup.local.LocalEntries;
import org.bloomgate.lookup.local.LocalFile;
import org.bloomgate.lookup.tier.Entry;
import org.junit.jupiter.api.Test;

class FalsePositiveTest {
    private static final Instant NOON = Instant.parse("2026-03-05T12:00:00Z");
    private static final String TOKEN = "0A1B2C3D4E5F";
    private static final EntryText TERMS = EntryText.ofTerms("", "7d", "jane");

    private static final Actor BY = new Actor("ada", Actor.Way.COMMAND, "");

    private static final RecordedFinding MILD = listed("mild", "news.example");
    private static final RecordedFinding HARD = listed("hard", "shop.example");

    private static RecordedFinding listed(String feed, String domain) {
        return found("listed", feed, domain);
    }

    private static RecordedFinding found(String verdict, String feed, String key) {
        return new RecordedFinding("domain", key, "text", verdict, key, "", feed, "phishing", Optional.empty(), "");
    }

    private static Decision decision(List<String> recipients, String feed, String value, RecordedFinding... found) {
        return new Decision(
                NOON,
                TOKEN,
                new Decision.Connection("203.0.113.9", "mail.example", ""),
                new Decision.Envelope("a@sender.example", recipients, List.of()),
                new Decision.Content(
                        new Decision.Heading("", "", ""),
                        100,
                        new Decision.Lookup(2, 1, List.of(found), List.of(), List.of()),
                        List.of(),
                        Optional.empty()),
                new Decision.Outcome("listed", "reject", "reject", feed, "phishing", value, Map.of()),
                new Decision.Processing("", "", "", "", Map.of(), Optional.empty()));
    }

    private static List<Entry> exceptions(EntryText terms, List<String> recipients, RecordedFinding... found)
            throws EntryRefusedException {
        EntryService service = new EntryService(
                (by, change) -> new LocalFile.Changed(LocalEntries.NONE, change.apply(LocalEntries.NONE)),
                () -> PhoneNumbers.INTERNATIONAL,
                () -> NOON);
        try {
            return service.takeBack(
                    BY, FalsePositive.findIn(decision(recipients, "hard", "shop.example", found)), terms);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> domains(List<String> recipients) throws EntryRefusedException {
        return exceptions(TERMS, recipients, HARD).stream()
                .map(entry -> entry.scope().recipientDomain().orElse("everybody"))
                .toList();
    }

    private static String refusal(RecordedFinding... found) {
        return String.valueOf(
                assertThrows(EntryRefusedException.class, () -> exceptions(TERMS, List.of("b@rcpt.example"), found))
                        .getMessage());
    }

    @Test
    void theKeyThatDecidedIsExceptedForItsFeedAndTheRecipients() throws EntryRefusedException {
        Entry only = exceptions(TERMS, List.of("b@rcpt.example"), MILD, HARD).getFirst();
        assertEquals(Entry.Type.EXCEPTION, only.type());
        assertEquals(new Key(KeyKind.DOMAIN, "shop.example"), only.key());
        assertEquals(Match.SUFFIX, only.match());
        assertEquals(Optional.of("hard"), only.scope().feed());
        assertEquals(Optional.of("rcpt.example"), only.scope().recipientDomain());
        assertEquals("jane", only.terms().author());
        assertEquals(Optional.of(NOON.plus(Duration.ofDays(7))), only.terms().until());
        assertEquals(Optional.of(TOKEN), only.terms().error());
    }

    @Test
    void theReasonNamesTheMail() throws EntryRefusedException {
        List<String> bob = List.of("b@rcpt.example");
        assertEquals(
                "false positive, mail " + TOKEN,
                exceptions(TERMS, bob, HARD).getFirst().terms().reason());
        EntryText known = EntryText.ofTerms("our printer", "", "jane");
        assertEquals(
                "our printer, mail " + TOKEN,
                exceptions(known, bob, HARD).getFirst().terms().reason());
    }

    @Test
    void ofListingsOfOneFeedThatOfTheValueWhichDecidedCounts() throws EntryRefusedException {
        List<String> bob = List.of("b@rcpt.example");
        RecordedFinding sameFeed = listed("hard", "other.example");
        RecordedFinding sameValue = listed("mild", "shop.example");
        assertEquals(
                Optional.of("hard"),
                exceptions(TERMS, bob, sameValue, HARD).getFirst().scope().feed());
        assertEquals(
                "shop.example",
                exceptions(TERMS, bob, sameFeed, HARD).getFirst().key().text());
    }

    @Test
    void whereNoneOfThemDecidedTheFirstListingIsTaken() throws EntryRefusedException {
        List<Entry> made =
                exceptions(TERMS, List.of("b@rcpt.example"), found("overridden", "hard", "shop.example"), MILD);
        assertEquals("news.example", made.getFirst().key().text());
    }

    @Test
    void eachDomainOfTheRecipientsHasAnException() throws EntryRefusedException {
        assertEquals(
                List.of("rcpt.example", "other.example"),
                domains(List.of("b@rcpt.example", "\"a@b\"@other.example", "c@rcpt.example", "postmaster")));
    }

    @Test
    void noRecipientOrTooManyDomains_exceptionIsGeneral() throws EntryRefusedException {
        assertEquals(List.of("everybody"), domains(List.of()));
        assertEquals(List.of("everybody"), domains(List.of("postmaster")));
        assertEquals(
                FalsePositive.MAX_DOMAINS,
                domains(many(FalsePositive.MAX_DOMAINS)).size());
        assertEquals(List.of("everybody"), domains(many(FalsePositive.MAX_DOMAINS + 1)));
    }

    private static List<String> many(int domains) {
        return IntStream.range(0, domains).mapToObj(i -> "b@d" + i + ".example").toList();
    }

    @Test
    void mailThatNoFeedSpeaksAgainstHasNothingToExcept() {
        String none = "no listing of a feed decided message " + TOKEN;
        assertEquals(none, refusal());
        assertEquals(none, refusal(found("unresolved", "hard", "shop.example")));
        assertEquals(none, refusal(listed("", "shop.example")));
    }

    @Test
    void aKeyThatWasCutIsNoKey() {
        RecordedFinding cut = listed("hard", "a".repeat(Decision.MAX_TEXT));
        assertEquals("the key that decided message " + TOKEN + " is not known in full", refusal(cut));
    }
}
