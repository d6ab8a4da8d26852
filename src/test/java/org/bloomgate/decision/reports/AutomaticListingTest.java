package org.bloomgate.decision.reports;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bloomgate.base.audit.Actor;
import org.bloomgate.base.audit.AuditLog;
import org.bloomgate.base.audit.AuditQuery;
import org.bloomgate.base.io.Token;
import org.bloomgate.base.net.Network;
import org.bloomgate.core.key.Identifier;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.PhoneNumbers;
import org.bloomgate.core.key.Place;
import org.bloomgate.decision.keyjournal.HourlyKeyJournal;
import org.bloomgate.decision.keyjournal.KeyJournalOptions;
import org.bloomgate.decision.keyjournal.MailKeys;
import org.bloomgate.decision.reports.AutomaticListing.Options;
import org.bloomgate.decision.reports.Report.State;
import org.bloomgate.lists.format.AllowList;
import org.bloomgate.lists.format.EntryGates;
import org.bloomgate.lists.format.SharedHosts;
import org.bloomgate.lists.layer.RebuildOptions;
import org.bloomgate.lists.rebuild.OwnListingGates;
import org.bloomgate.lookup.local.EntryService;
import org.bloomgate.lookup.local.EntryText;
import org.bloomgate.lookup.local.EntryText.Field;
import org.bloomgate.lookup.local.LiveEntries;
import org.bloomgate.lookup.local.LocalFile;
import org.bloomgate.lookup.local.LocalOptions;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.Entry;
import org.bloomgate.lookup.tier.NoLayers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What three people report is listed; what liars report is not.
class AutomaticListingTest {
    private static final Actor OLA = new Actor("ola", Actor.Way.COMMAND, "");
    private static final String PHISH = "phish.example";

    @TempDir
    Path folder;

    private Instant now = Instant.parse("2031-05-06T07:08:09Z");
    private final InstantSource clock = () -> now;
    private final Map<String, List<String>> recipients = new HashMap<>();
    private final Map<String, Instant> remembered = new HashMap<>();
    private Options options = new Options(3, Duration.ofHours(1), Duration.ofHours(24), Action.QUARANTINE);
    private boolean isFaulty;
    private KeyJournalOptions keys;
    private LiveEntries entries;
    private Reports reports;
    private AutomaticListing listing;

    @BeforeEach
    void open() throws IOException {
        keys = new KeyJournalOptions(folder.resolve("keys"), Duration.ofDays(7), 1 << 24);
        LocalFile file = new LocalFile(new LocalOptions(folder.resolve("local")), clock);
        entries = new LiveEntries(NoLayers::lease, file, clock);
        OwnListingGates gates = new OwnListingGates(
                new EntryGates(AllowList.of(List.of("partner-bank.example")), SharedHosts.shipped()),
                RebuildOptions.defaults(),
                keys,
                List.of(),
                folder.resolve("snapshots"),
                clock);
        reports = new Reports(new ReportStore(folder.resolve("reports")), gates, new AuditLog(folder.resolve("local")));
        restart();
    }

    @AfterEach
    void close() {
        entries.close();
    }

    /// As after a kill: everything is read again.
    private void restart() {
        listing = new AutomaticListing(
                reports,
                new AutomaticListing.Sources(
                        entries,
                        keys,
                        List.of(Network.of("10.9.0.0/16")),
                        this::findRecipients,
                        key -> Optional.ofNullable(remembered.get(key.text()))),
                () -> options,
                clock);
    }

    private List<String> findRecipients(Set<String> tokens) {
        if (isFaulty) {
            throw new IllegalStateException("a fault of the test");
        }
        return tokens.stream()
                .flatMap(token -> recipients.getOrDefault(token, List.of()).stream())
                .toList();
    }

    /// Delivers one message to each mailbox.
    private void deliver(String host, Instant time, String... mailboxes) throws IOException {
        try (HourlyKeyJournal journal = new HourlyKeyJournal(keys, InstantSource.fixed(time))) {
            KeyBatch batch = new KeyBatch();
            batch.begin(new Identifier(KeyKind.DOMAIN, host, Place.LINK, "link"));
            batch.append(host).endKey(KeyKind.DOMAIN, true);
            for (String mailbox : mailboxes) {
                MailKeys mail = journal.begin().orElseThrow();
                mail.setClient(InetAddress.ofLiteral("192.0.2.7"));
                mail.setRecipient(mailbox);
                mail.add(batch);
                String token = Token.generate();
                journal.record(token, time, mail);
                recipients.put(token, List.of(mailbox));
            }
        }
    }

    private static String mailbox(int reporter) {
        return "r" + reporter + "@corp.example";
    }

    private String report(int reporter, String host) throws IOException {
        return report(mailbox(reporter), "10.0." + reporter + ".0/24", host, Optional.empty());
    }

    private String report(String mailbox, String network, String host, Optional<String> objection) throws IOException {
        return report(
                mailbox,
                network,
                host,
                List.of(new ReportedIdentifier(new Key(KeyKind.DOMAIN, host), "link", objection)));
    }

    private String report(String mailbox, String network, String host, List<ReportedIdentifier> identifiers)
            throws IOException {
        return reports.store()
                .add(
                        now,
                        new Reporter(mailbox, network),
                        new ReportedMessage(
                                "invoice",
                                "a@phish.example",
                                "",
                                Optional.of(Token.of(host.hashCode())),
                                Optional.empty(),
                                List.of(),
                                identifiers));
    }

    private List<String> listed() {
        return entries.entries().of(Entry.Type.LISTING).stream()
                .map(entry -> entry.key().text())
                .toList();
    }

    private void reportByThree() throws Exception {
        deliver(PHISH, now.minusSeconds(600), mailbox(1), mailbox(2), mailbox(3), "victim@corp.example");
        for (int reporter = 1; reporter <= 3; reporter++) {
            report(reporter, PHISH);
        }
        listing.evaluate();
    }

    @Test
    void preview_countsTheMailOfEachIdentifier() throws IOException {
        deliver(PHISH, now.minusSeconds(600), mailbox(1), mailbox(2));
        deliver("other.example", now.minusSeconds(600), mailbox(1));
        List<Entry> listings = Stream.of(PHISH, "other.example", "never.example")
                .map(host -> Reports.entry(new Key(KeyKind.DOMAIN, host), now))
                .toList();
        assertEquals(
                List.of(2L, 1L, 0L),
                reports.gates().preview(listings).stream()
                        .map(preview -> preview.mail().stopped())
                        .toList());
    }

    @Test
    void threeReporters_listUntilItExpires() throws Exception {
        reportByThree();

        Entry entry = entries.entries().of(Entry.Type.LISTING).getFirst();
        assertEquals(PHISH, entry.key().text());
        assertEquals("reports", entry.terms().author());
        assertEquals(Optional.of(Action.QUARANTINE), entry.terms().action());
        assertEquals(Optional.of(now.plus(Duration.ofHours(24))), entry.terms().until());
        Report report = reports.store().list(Instant.EPOCH, _ -> true, 9).getFirst();
        assertEquals(State.LISTED, report.outcome().state());
        assertEquals("reports", report.outcome().by());
        now = now.plus(Duration.ofHours(24));
        assertEquals(List.of(), listed());
    }

    @Test
    void tooFewReporters_listNothing() throws Exception {
        deliver(PHISH, now, mailbox(1), mailbox(2), mailbox(3), "victim@corp.example");
        report(1, PHISH);
        report(2, PHISH);
        report(2, PHISH);
        report(mailbox(3), "10.0.2.0/24", PHISH, Optional.empty());
        report("", "10.0.9.0/24", PHISH, Optional.empty());
        listing.evaluate();
        assertEquals(List.of(), listed());

        report(mailbox(4), "10.0.4.0/24", PHISH, Optional.empty());
        listing.evaluate();
        assertEquals(List.of(), listed(), "not delivered to the fourth");
    }

    private static ReportedIdentifier named(KeyKind kind, String text, String where) {
        return new ReportedIdentifier(new Key(kind, text), where, Optional.empty());
    }

    private void reportByThree(List<ReportedIdentifier> identifiers) throws Exception {
        for (ReportedIdentifier identifier : identifiers) {
            deliver(identifier.key().text(), now, mailbox(1), mailbox(2), mailbox(3), "victim@corp.example");
        }
        for (int reporter = 1; reporter <= 3; reporter++) {
            report(mailbox(reporter), "10.0." + reporter + ".0/24", "message", identifiers);
        }
        listing.evaluate();
    }

    @Test
    void sender_isNeverListed() throws Exception {
        reportByThree(List.of(named(KeyKind.DOMAIN, "forged.example", "sender"), named(KeyKind.DOMAIN, PHISH, "link")));
        assertEquals(List.of(PHISH), listed());
    }

    /// Of three reporters of one message, these name the forged sender as a link.
    @ParameterizedTest
    @CsvSource({"1, false", "2, false", "3, false", "12, false", "13, false", "23, false", "123, true"})
    void senderThatSomeNameAsLink_isNotListed(String ofLink, boolean isListed) throws Exception {
        deliver(PHISH, now, mailbox(1), mailbox(2), mailbox(3), "victim@corp.example");
        for (int reporter = 1; reporter <= 3; reporter++) {
            String place = ofLink.contains("" + reporter) ? "link" : "sender";
            report(
                    mailbox(reporter),
                    "10.0." + reporter + ".0/24",
                    "message",
                    List.of(named(KeyKind.DOMAIN, PHISH, place)));
        }
        listing.evaluate();
        assertEquals(isListed ? List.of(PHISH) : List.of(), listed());
    }

    @Test
    void messageWithManyHosts_listsNothing() throws Exception {
        List<ReportedIdentifier> hosts = new ArrayList<>(List.of(
                named(KeyKind.DOMAIN, "forged.example", "sender"),
                new ReportedIdentifier(
                        new Key(KeyKind.DOMAIN, "corp.example"), "link", Optional.of("a domain of the site"))));
        for (int host = 1; host <= AutomaticListing.MAX_HOSTS; host++) {
            hosts.add(named(KeyKind.DOMAIN, "host" + host + ".example", "link"));
        }
        hosts.add(named(KeyKind.URL, "host1.example/page", "link"));
        List<ReportedIdentifier> more = new ArrayList<>(hosts);
        more.add(named(KeyKind.URL, "host6.example/page", "link"));
        reportByThree(more);
        reportByThree(more);
        assertEquals(List.of(), listed());

        for (Report report : reports.store().list(Instant.EPOCH, _ -> true, 9)) {
            reports.decide(OLA, report.id(), State.HARMLESS, now);
        }
        for (int reporter = 1; reporter <= 3; reporter++) {
            report(mailbox(reporter), "10.0." + reporter + ".0/24", "another message", hosts);
        }
        listing.evaluate();
        assertTrue(listed().containsAll(List.of("host1.example", "host5.example")), () -> listed().toString());
    }

    @Test
    void listings_areBounded() throws Exception {
        for (int host = 0; host < AutomaticListing.MAX_LISTED - 1; host++) {
            EntryText text = EntryText.of(KeyKind.DOMAIN, "host" + host + ".example");
            List<Entry> _ = service().addChecked(OLA, text.with(Field.AUTHOR, AutomaticListing.AUTHOR));
        }
        reportByThree();
        assertTrue(listed().contains(PHISH));
        assertEquals(AutomaticListing.MAX_LISTED, listed().size());

        deliver("other.example", now, mailbox(1), mailbox(2), mailbox(3), "victim@corp.example");
        for (int reporter = 1; reporter <= 3; reporter++) {
            report(reporter, "other.example");
        }
        listing.evaluate();
        assertEquals(AutomaticListing.MAX_LISTED, listed().size());
    }

    @Test
    void tagsOfOneMailbox_countOnce() throws Exception {
        String[] tags = {"ann+1@corp.example", "ann+2@corp.example", "Ann@corp.example"};
        deliver(PHISH, now, tags);
        deliver(PHISH, now, "victim@corp.example");
        for (int tag = 0; tag < tags.length; tag++) {
            report(tags[tag], "10.0." + tag + ".0/24", PHISH, Optional.empty());
        }
        listing.evaluate();
        assertEquals(List.of(), listed());

        deliver(PHISH, now, "ben@corp.example", mailbox(4));
        report("ben+spam@corp.example", "10.0.3.0/24", PHISH, Optional.empty());
        report(4, PHISH);
        listing.evaluate();
        assertEquals(List.of(PHISH), listed());
    }

    @Test
    void tagOfReporter_isNobodyElse() throws Exception {
        deliver(PHISH, now, mailbox(1), mailbox(2), mailbox(3), "r1+tag@corp.example");
        for (int reporter = 1; reporter <= 3; reporter++) {
            report(reporter, PHISH);
        }
        listing.evaluate();
        assertEquals(List.of(), listed());
    }

    @Test
    void fault_isFollowedByAnotherAttempt() throws Exception {
        AtomicLong nanos = new AtomicLong(System.nanoTime() + 1);
        deliver(PHISH, now, mailbox(1), mailbox(2), mailbox(3), "victim@corp.example");
        for (int reporter = 1; reporter <= 3; reporter++) {
            report(reporter, PHISH);
        }
        isFaulty = true;
        listing.evaluateIfDue(nanos::get);
        isFaulty = false;
        listing.evaluateIfDue(() -> nanos.get() + Duration.ofMinutes(1).toNanos() - 1);
        assertEquals(List.of(), listed());
        listing.evaluateIfDue(() -> nanos.get() + Duration.ofMinutes(1).toNanos());
        assertEquals(List.of(PHISH), listed());
    }

    @Test
    void usersOfTheOwnNetwork_countByMailbox() throws Exception {
        deliver(PHISH, now, mailbox(1), mailbox(2), mailbox(3), "victim@corp.example");
        for (int reporter = 1; reporter <= 3; reporter++) {
            report(mailbox(reporter), "10.9.0.0/24", PHISH, Optional.empty());
        }
        listing.evaluate();
        assertEquals(List.of(PHISH), listed());
    }

    @Test
    void reportersOfAnHourAgo_doNotCount() throws Exception {
        deliver(PHISH, now, mailbox(1), mailbox(2), mailbox(3), "victim@corp.example");
        report(1, PHISH);
        now = now.plus(Duration.ofHours(1)).plusSeconds(1);
        report(2, PHISH);
        report(3, PHISH);
        listing.evaluate();
        assertEquals(List.of(), listed());
    }

    @Test
    void defaultOptions_listNothing() throws Exception {
        options = Options.defaults();
        reportByThree();
        assertEquals(List.of(), listed());
        assertThrows(
                IllegalArgumentException.class,
                () -> new Options(2, Duration.ofHours(1), Duration.ofHours(24), Action.TAG));
        assertThrows(
                IllegalArgumentException.class,
                () -> new Options(3, Duration.ofHours(1), Duration.ofHours(24), Action.REJECT));
    }

    @Test
    void within_isBounded() {
        for (Duration bound : List.of(Duration.ofMinutes(1), Duration.ofHours(24))) {
            assertEquals(bound, new Options(3, bound, Duration.ofHours(24), Action.TAG).within());
        }
        for (Duration beyond :
                List.of(Duration.ofSeconds(59), Duration.ofHours(24).plusSeconds(1))) {
            assertThrows(
                    IllegalArgumentException.class, () -> new Options(3, beyond, Duration.ofHours(24), Action.TAG));
        }
    }

    @Test
    void twentyLiars_listNothing() throws Exception {
        Random random = new Random(7);
        String[] all =
                IntStream.range(0, 20).mapToObj(AutomaticListingTest::mailbox).toArray(String[]::new);
        List<String> names = List.of(
                "google.com",
                "www.google.com",
                "partner-bank.example",
                "youtu.be",
                "old.example",
                "remembered.example",
                "own.example",
                "undelivered.example",
                "corp.example");
        for (String name : names) {
            if (!name.equals("undelivered.example")) {
                deliver(
                        name,
                        now.minusSeconds(random.nextInt(3000)),
                        name.equals("own.example") ? Arrays.copyOf(all, 3) : all);
            }
            if (!name.equals("own.example")) {
                deliver(name, now.minusSeconds(60), "victim@corp.example");
            }
        }
        deliver("old.example", now.minus(Duration.ofHours(26)), "customer@corp.example");
        remembered.put("remembered.example", now.minus(Duration.ofDays(30)));
        for (int reporter = 0; reporter < 20; reporter++) {
            for (String name : names) {
                report(
                        mailbox(reporter),
                        "10.0." + reporter + ".0/24",
                        name,
                        Optional.of("a domain of the site").filter(_ -> name.equals("corp.example")));
            }
            listing.evaluate();
            assertEquals(List.of(), listed());
        }
    }

    @Test
    void removedListing_switchesOffForADay() throws Exception {
        reportByThree();
        remove();
        assertEquals(List.of(), listed());

        restart();
        deliver("other.example", now, mailbox(1), mailbox(2), mailbox(3), "victim@corp.example");
        for (int reporter = 1; reporter <= 3; reporter++) {
            report(reporter, "other.example");
        }
        listing.evaluate();
        assertEquals(List.of(), listed());

        now = now.plus(Duration.ofHours(24)).plusSeconds(1);
        deliver("third.example", now, mailbox(1), mailbox(2), mailbox(3), "victim@corp.example");
        for (int reporter = 1; reporter <= 3; reporter++) {
            report(reporter, "third.example");
        }
        listing.evaluate();
        assertEquals(List.of("third.example"), listed());
    }

    private EntryService service() {
        return new EntryService(entries::change, () -> PhoneNumbers.INTERNATIONAL, clock);
    }

    private void remove() throws Exception {
        assertEquals(
                1,
                service()
                        .remove(OLA, Entry.Type.LISTING, EntryText.of(KeyKind.DOMAIN, PHISH))
                        .size());
    }

    @Test
    void exception_switchesOffToo() throws Exception {
        reportByThree();
        service().addException(OLA, EntryText.of(KeyKind.DOMAIN, PHISH).with(Field.AUTHOR, "ola"), reports.gates());
        deliver("other.example", now, mailbox(1), mailbox(2), mailbox(3), "victim@corp.example");
        for (int reporter = 1; reporter <= 3; reporter++) {
            report(reporter, "other.example");
        }
        listing.evaluate();
        assertEquals(List.of(PHISH), listed());
    }

    /// After a kill between two steps the same listing exists once.
    @Test
    void killAtEachStep_listsOnce() throws Exception {
        deliver(PHISH, now, mailbox(1), mailbox(2), mailbox(3), "victim@corp.example");
        List<String> ids = new ArrayList<>();
        for (int reporter = 1; reporter <= 3; reporter++) {
            ids.add(report(reporter, PHISH));
        }
        restart();
        listing.evaluate();
        assertEquals(List.of(PHISH), listed());

        // Killed between the listing and the report of it.
        reports.store().change(ids.getFirst(), report -> report.with(new Report.Outcome(State.OPEN, "", now)));
        restart();
        listing.evaluate();
        listing.evaluate();
        assertEquals(List.of(PHISH), listed());
        assertEquals(
                State.LISTED,
                reports.store().find(ids.getFirst()).orElseThrow().outcome().state());
        assertEquals(
                1,
                reports.auditLog()
                        .find(new AuditQuery("reports", "listing-add", "", Instant.EPOCH, 9))
                        .events()
                        .size());
    }

    @Test
    void harmlessReport_doesNotCount() throws Exception {
        deliver(PHISH, now, mailbox(1), mailbox(2), mailbox(3), "victim@corp.example");
        String id = report(1, PHISH);
        report(2, PHISH);
        reports.decide(OLA, id, State.HARMLESS, now);
        report(3, PHISH);
        listing.evaluate();
        assertEquals(List.of(), listed());
        assertTrue(reports.store().find(id).orElseThrow().voices().size() == 3);
    }
}
