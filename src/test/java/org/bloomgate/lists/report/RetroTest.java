package org.bloomgate.lists.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.bloomgate.RecordCopy;
import org.bloomgate.core.key.AddressBlock;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.key.Use;
import org.bloomgate.decision.evaluation.ConnectingClient;
import org.bloomgate.decision.evaluation.DecisionDraft;
import org.bloomgate.decision.evaluation.EvaluationRig;
import org.bloomgate.decision.evaluation.MessageDecision;
import org.bloomgate.decision.evaluation.MessageEvaluation;
import org.bloomgate.decision.evaluation.MessageEvaluator;
import org.bloomgate.decision.journal.Decision;
import org.bloomgate.decision.journal.JournalOptions;
import org.bloomgate.decision.journal.JsonDecisionJournal;
import org.bloomgate.decision.keyjournal.Deliveries;
import org.bloomgate.decision.keyjournal.HourlyKeyJournal;
import org.bloomgate.decision.keyjournal.KeyJournalOptions;
import org.bloomgate.decision.keyjournal.MailKeys;
import org.bloomgate.decision.policy.PolicyOptions;
import org.bloomgate.lists.snapshot.LayerDirectory;
import org.bloomgate.lookup.local.EntryParser;
import org.bloomgate.lookup.local.EntryRefusedException;
import org.bloomgate.lookup.local.EntryText;
import org.bloomgate.lookup.local.EntryText.Field;
import org.bloomgate.lookup.local.EntryTexts;
import org.bloomgate.lookup.store.ListedFeed;
import org.bloomgate.lookup.store.StoreWriter;
import org.bloomgate.lookup.store.StoredListings;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.Entry;
import org.bloomgate.server.dns.ListedHosts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Mail that was heard and delivered, coverage for again when more is known.
class RetroTest {
    private static final Instant NOON = Instant.parse("2026-03-05T12:00:00Z");
    private static final Instant HOUR_BEFORE = NOON.minus(Duration.ofHours(1));
    private static final Instant FIRST_SEEN = Instant.parse("2026-03-04T00:00:00Z");
    private static final PolicyOptions SHADOW = RecordCopy.with(PolicyOptions.defaults(), "shadow", true);
    private static final String TOKEN = "0A1B2C3D4E5F";
    private static final String SENDER = "s@from.example";
    private static final String BOB = "bob@rcpt.example";
    private static final ListedFeed PHISH = new ListedFeed("phish", "phishing", Match.SUFFIX, Set.of(Use.values()));
    private static final ListedFeed SPAM = new ListedFeed("bulk", "spam", Match.EXACT, Set.of(Use.LINK));
    private static final String MAIL = """
        From: A <a@sender.example>

        https://www.late.example/x https://known.example/ https://good.example/
        """;

    @TempDir
    private Path folder;

    private final List<Retro.Message> found = new ArrayList<>();

    private JournalOptions journal() {
        KeyJournalOptions keys = new KeyJournalOptions(folder.resolve("keys"), Duration.ofDays(7), 1 << 24);
        return new JournalOptions(folder.resolve("decisions"), 100_000, 1L << 30, true, keys);
    }

    private Retro retro(Entry... local) {
        return new Retro(folder.resolve("snapshots"), journal(), List.of(local));
    }

    /// Heard while `known.example` is listed, in shadow, and delivered.
    private void deliver(ConnectingClient caller, boolean recorded) throws IOException {
        deliver(caller, recorded, new ListedHosts().lists("known.example"), SHADOW);
    }

    private void deliver(ConnectingClient caller, boolean recorded, ListedHosts hosts, PolicyOptions policy)
            throws IOException {
        EvaluationRig rig =
                new EvaluationRig(hosts.listsNetworks("203.0.113.0/24").inForce());
        MessageEvaluator evaluator = rig.evaluator(policy);
        try (MessageEvaluation evaluation = rig.hear(evaluator, caller, SENDER, MAIL, BOB)) {
            MessageDecision decision = evaluation.decide(InputStream::nullInputStream);
            remember(evaluation);
            if (recorded) {
                record(caller, evaluation, decision);
            }
        }
    }

    private void remember(MessageEvaluation evaluation) {
        try (HourlyKeyJournal keys = new HourlyKeyJournal(journal().keys(), InstantSource.fixed(NOON))) {
            MailKeys mail = keys.begin().orElseThrow();
            evaluation.remember(mail);
            keys.record(TOKEN, NOON, mail);
        }
    }

    private void record(ConnectingClient caller, MessageEvaluation evaluation, MessageDecision decision) {
        DecisionDraft draft = new DecisionDraft(
                TOKEN, new Decision.Connection(caller.addressText(), caller.helo(), ""), SENDER, evaluation);
        draft.addRecipient(BOB);
        draft.recordDecision(decision, "250 2.0.0 Ok");
        try (JsonDecisionJournal decisions = new JsonDecisionJournal(journal(), InstantSource.fixed(NOON))) {
            decisions.record(draft.createDecision(NOON, Map.of()));
        }
    }

    private void snapshot(String layer, SortedMap<String, List<Integer>> feedsByDomain) throws IOException {
        String generation = "20260304T000000Z-09af";
        LayerDirectory directory = new LayerDirectory(folder.resolve("snapshots"), layer);
        Files.createDirectories(directory.resolveExactDirectory(generation).getParent());
        try (StoreWriter store =
                StoreWriter.create(directory.resolveExactDirectory(generation), List.of(PHISH, SPAM))) {
            StoredListings listings = new StoredListings();
            for (Map.Entry<String, List<Integer>> row : feedsByDomain.entrySet()) {
                listings.clear();
                long seen = FIRST_SEEN.getEpochSecond();
                row.getValue().forEach(feed -> listings.add(feed, seen, seen, 0));
                byte[] bytes = new Key(KeyKind.DOMAIN, row.getKey()).bytes();
                store.put(KeyKind.DOMAIN, bytes, 0, bytes.length, listings);
            }
            store.finish();
        }
        Files.writeString(directory.path().resolve("current"), generation + "\n");
    }

    private boolean holds(Key key) throws IOException {
        found.clear();
        return retro().findByKey(key, HOUR_BEFORE, found::add)
                        .orElseThrow()
                        .tally()
                        .holding()
                > 0;
    }

    private static Key domain(String name) {
        return new Key(KeyKind.DOMAIN, name);
    }

    private static Key client(String address) {
        return AddressBlock.parse(address).key();
    }

    private static Retro.LaterListing since(String feed, String category, String key) {
        return new Retro.LaterListing(feed, category, key, Optional.of(FIRST_SEEN));
    }

    @Test
    void whereNoMailIsRecordedNothingIsLookedThrough() throws IOException {
        snapshot("nightly", new TreeMap<>(Map.of("late.example", List.of(0))));
        assertEquals(Optional.empty(), retro().findListed(HOUR_BEFORE, found::add));
        assertEquals(List.of(), found);
    }

    @Test
    void mailThatHoldsWhatWasListedSinceIsHandedOverWithItsEnvelope() throws IOException {
        deliver(EvaluationRig.client("198.51.100.7"), true);
        snapshot("nightly", new TreeMap<>(Map.of("late.example", List.of(0), "other.example", List.of(0, 1))));
        Files.createDirectories(folder.resolve("snapshots/hourly"));
        Retro.Coverage coverage = retro().findListed(HOUR_BEFORE, found::add).orElseThrow();
        assertEquals(
                List.of(new Retro.Message(
                        TOKEN, NOON, SENDER, List.of(BOB), List.of(since("phish", "phishing", "late.example")))),
                found);
        assertEquals(1, coverage.tally().mails());
        assertEquals(1, coverage.tally().holding());
        assertEquals(0, coverage.unreadable());
        assertEquals(Optional.of(NOON), coverage.begins());
    }

    @Test
    void everyFeedIsNamedThatSpeaksAgainstTheMailAsItReaches() throws IOException {
        deliver(EvaluationRig.client("198.51.100.7"), false);
        snapshot("nightly", new TreeMap<>(Map.of("late.example", List.of(1), "www.late.example", List.of(0, 1))));
        assertTrue(retro().findListed(HOUR_BEFORE, found::add).isPresent());
        assertEquals(
                Set.of(since("phish", "phishing", "www.late.example"), since("bulk", "spam", "www.late.example")),
                new HashSet<>(found.getFirst().listings()));
        assertEquals("", found.getFirst().mailFrom());
        assertEquals(List.of(), found.getFirst().recipients());
    }

    @Test
    void whatOperatorsListIsLookedForToo() throws IOException, EntryRefusedException {
        deliver(EvaluationRig.client("198.51.100.7"), true);
        EntryText text = EntryTexts.of("domain", "late.example")
                .with(Field.CATEGORY, "spam")
                .with(Field.AUTHOR, "jane");
        EntryText plain = EntryTexts.of("domain", "good.example").with(Field.AUTHOR, "jane");
        retro(
                        EntryParser.parse(text, Entry.Type.LISTING, FIRST_SEEN.plusMillis(5)),
                        EntryParser.parse(plain, Entry.Type.LISTING, FIRST_SEEN))
                .findListed(HOUR_BEFORE, found::add);
        assertEquals(
                Set.of(since("local", "spam", "late.example"), since("local", "local", "good.example")),
                new HashSet<>(found.getFirst().listings()));
    }

    @Test
    void aValueIsLookedForWhetherItIsListedOrNot() throws IOException {
        deliver(EvaluationRig.client("198.51.100.7"), true);
        assertTrue(holds(domain("late.example")));
        assertEquals(
                List.of(new Retro.LaterListing("", "", "late.example", Optional.empty())),
                found.getFirst().listings());
        assertEquals(SENDER, found.getFirst().mailFrom());
        assertFalse(holds(domain("other.example")));
        assertEquals(List.of(), found);
    }

    @Test
    void messageSenderAndStrangerAreRememberedButForWhatWasKnown() throws IOException {
        deliver(EvaluationRig.client("198.51.100.7", "h.client.example"), true);
        assertTrue(holds(domain("good.example")));
        assertTrue(holds(new Key(KeyKind.ADDRESS, "a@sender.example")));
        assertTrue(holds(new Key(KeyKind.ADDRESS, SENDER)));
        assertTrue(holds(client("198.51.100.0/24")));
        assertTrue(holds(domain("h.client.example")));
        assertTrue(holds(domain("known.example")));
    }

    /// However a message was delivered although a key in it was listed: by tag, shadow or exception, for all
    /// recipients or one domain, of a feed or an operator.
    @Test
    void keyListedAtDelivery_isFoundByValue() throws IOException {
        PolicyOptions tagging = RecordCopy.with(PolicyOptions.defaults(), "listed", Map.of(Place.TEXT, Action.TAG));
        List<Supplier<ListedHosts>> lists = List.of(
                () -> new ListedHosts().lists("known.example"),
                () -> new ListedHosts().lists("known.example", "bulk", "spam", Match.EXACT),
                () -> new ListedHosts().operatorLists("known.example", "local"));
        for (Supplier<ListedHosts> listed : lists) {
            requireFound(listed.get(), SHADOW);
            requireFound(listed.get(), tagging);
            for (String recipients : List.of("", "rcpt.example")) {
                ListedHosts excepted = listed.get()
                        .operatorExempts(
                                "known.example", Optional.of(recipients).filter(domain -> !domain.isEmpty()));
                requireFound(excepted, PolicyOptions.defaults());
            }
        }
    }

    private void requireFound(ListedHosts hosts, PolicyOptions policy) throws IOException {
        try (Stream<Path> files = Files.walk(Files.createDirectories(folder.resolve("keys")))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.delete(file);
            }
        }
        deliver(EvaluationRig.client("198.51.100.7"), true, hosts, policy);
        assertTrue(holds(domain("known.example")));
        assertFalse(holds(domain("other.example")));
    }

    @Test
    void afterItsHearingNothingOfAMailIsRemembered() {
        EvaluationRig rig =
                new EvaluationRig(new ListedHosts().lists("known.example").inForce());
        MessageEvaluation over =
                rig.hear(rig.evaluator(PolicyOptions.defaults()), ConnectingClient.UNKNOWN, SENDER, MAIL, BOB);
        over.close();
        assertThrows(IllegalStateException.class, () -> remember(over));
    }

    @Test
    void aNeighbourIsNotRemembered() throws IOException {
        deliver(EvaluationRig.client("10.0.0.9", "h.client.example"), true);
        assertTrue(holds(domain("good.example")));
        assertFalse(holds(client("10.0.0.9/32")));
        assertFalse(holds(domain("h.client.example")));
    }

    @Test
    void moreMailThanIsFetchedAtOnceIsHandedOverOnce() throws IOException {
        Deliveries.record(journal().keys(), NOON, 1_001, "late.example");
        Set<String> tokens = new HashSet<>();
        retro().findByKey(domain("late.example"), HOUR_BEFORE, mail -> {
            found.add(mail);
            tokens.add(mail.token());
        });
        assertEquals(1_001, found.size());
        assertEquals(1_001, tokens.size());
    }

    @Test
    void recordsThatCannotBeReadAreToldOf() throws IOException {
        deliver(EvaluationRig.client("198.51.100.7"), true);
        try (Stream<Path> files = Files.list(folder.resolve("keys"))) {
            Path hour = files.filter(file -> file.toString().endsWith(".keys"))
                    .findFirst()
                    .orElseThrow();
            byte[] bytes = Files.readAllBytes(hour);
            bytes[9] ^= 1;
            Files.write(hour, bytes);
        }
        Retro.Coverage coverage = retro().findListed(HOUR_BEFORE, found::add).orElseThrow();
        assertEquals(1, coverage.unreadable());
        assertEquals(0, coverage.tally().mails());
    }
}
