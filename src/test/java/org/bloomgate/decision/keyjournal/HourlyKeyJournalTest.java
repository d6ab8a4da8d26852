package org.bloomgate.decision.keyjournal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.bloomgate.base.io.Token;
import org.bloomgate.core.key.Identifier;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.key.Use;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Mail in by way of the journal, out by way of [RecentMail]; files that were torn, damaged or are not ours.
class HourlyKeyJournalTest {
    private static final Instant NOON = Instant.parse("2026-03-02T12:30:00Z");
    private static final Set<Use> ALL = EnumSet.allOf(Use.class);

    @TempDir
    private Path folder;

    private Instant now = NOON;
    private long maxBytes = 1 << 24;

    private KeyJournalOptions options() {
        return new KeyJournalOptions(folder, Duration.ofDays(2), maxBytes);
    }

    private HourlyKeyJournal open() throws IOException {
        return new HourlyKeyJournal(options(), InstantSource.fixed(now));
    }

    /// One mail with links to hosts; the token it went by.
    private String deliver(KeyJournal journal, String... hosts) {
        KeyBatch batch = new KeyBatch();
        for (String host : hosts) {
            batch.begin(new Identifier(KeyKind.DOMAIN, host, Place.LINK, "link"));
            batch.append(host).endKey(KeyKind.DOMAIN, true);
            batch.append(host.substring(host.indexOf('.') + 1)).endKey(KeyKind.DOMAIN, false);
        }
        MailKeys keys = journal.begin().orElseThrow();
        keys.add(batch);
        String token = Token.generate();
        journal.record(token, now, keys);
        return token;
    }

    private String deliverAlone(String... hosts) throws IOException {
        try (HourlyKeyJournal journal = open()) {
            return deliver(journal, hosts);
        }
    }

    /// Tokens of the messages that hold a listed domain.
    private List<String> holding(String domain, Match match, Set<Use> uses) throws IOException {
        return holding(domain, match, uses, NOON.minus(Duration.ofDays(30)));
    }

    private List<String> holding(String domain, Match match, Set<Use> uses, Instant since) throws IOException {
        return holding(domain, RecentMail.reach(match, uses), since);
    }

    private List<String> holding(String domain, int reach, Instant since) throws IOException {
        RecentMail<String> recent = RecentMail.since(since, options());
        byte[] bytes = domain.getBytes(StandardCharsets.UTF_8);
        recent.note(KeyKind.DOMAIN.wireCode(), bytes, 0, bytes.length, reach, () -> "listing");
        List<String> tokens = new ArrayList<>();
        recent.forEach((token, _, _, _) -> tokens.add(token));
        return tokens;
    }

    private List<String> holding(String domain) throws IOException {
        return holding(domain, Match.SUFFIX, ALL);
    }

    private Path file(String name) {
        return folder.resolve(name);
    }

    @Test
    void mailIsFoundByItsKeysAndNoOther() throws Exception {
        String first;
        String second;
        try (HourlyKeyJournal journal = open()) {
            first = deliver(journal, "www.a.example", "www.b.example");
            second = deliver(journal, "www.b.example");
        }
        assertEquals(List.of(first), holding("a.example"));
        assertEquals(List.of(first, second), holding("www.b.example"));
        assertEquals(List.of(), holding("c.example"));
    }

    @Test
    void listingOfOneHostDoesNotReachThoseBelow() throws Exception {
        String token = deliverAlone("www.a.example");
        assertEquals(List.of(), holding("a.example", Match.EXACT, ALL));
        assertEquals(List.of(token), holding("www.a.example", Match.EXACT, ALL));
    }

    @Test
    void listingForSendersDoesNotReachLinks() throws Exception {
        deliverAlone("www.a.example");
        assertEquals(List.of(), holding("www.a.example", Match.SUFFIX, EnumSet.of(Use.SENDER, Use.HEADER)));
    }

    @Test
    void keyListedAtDelivery_isFoundOnlyAmongAll() throws Exception {
        try (HourlyKeyJournal journal = open()) {
            KeyBatch batch = new KeyBatch();
            batch.begin(new Identifier(KeyKind.DOMAIN, "a.example", Place.LINK, "link"));
            batch.append("a.example").endKey(KeyKind.DOMAIN, true);
            batch.append("b.example").endKey(KeyKind.DOMAIN, true);
            MailKeys keys = journal.begin().orElseThrow();
            keys.add(batch);
            keys.markListed(new Key(KeyKind.DOMAIN, "a.example"));
            journal.record(Token.generate(), now, keys);
        }
        assertEquals(List.of(), holding("a.example"));
        assertEquals(1, holding("b.example").size());
        for (String domain : List.of("a.example", "b.example")) {
            assertEquals(
                    1, holding(domain, RecentMail.reachOfAll(Match.EXACT), NOON).size(), domain);
        }
    }

    @Test
    void tornTailIsCutAtTheNextStart() throws Exception {
        String first = deliverAlone("www.a.example");
        Path hour = file("2026-03-02T12.keys");
        byte[] whole = Files.readAllBytes(hour);
        String second = deliverAlone("www.b.example");
        byte[] both = Files.readAllBytes(hour);
        for (int length = whole.length; length < both.length; length++) {
            Files.write(hour, Arrays.copyOf(both, length));
            assertEquals(List.of(first), holding("a.example"), "at " + length);
        }
        String third = deliverAlone("www.a.example");
        assertEquals(List.of(first, third), holding("a.example"));
        assertEquals(List.of(), holding("b.example"), second);
    }

    @Test
    void damagedBlockCostsItsMailsOnly() throws Exception {
        String first = deliverAlone("www.a.example");
        Path hour = file("2026-03-02T12.keys");
        int end = (int) Files.size(hour);
        String second = deliverAlone("www.a.example");
        byte[] bytes = Files.readAllBytes(hour);
        bytes[end - 1] ^= 1;
        Files.write(hour, bytes);
        RecentMail<String> recent = RecentMail.since(NOON.minusSeconds(1), options());
        RecentMail.Tally tally = recent.forEach((_, _, _, _) -> {});
        assertEquals(1, tally.damaged());
        assertEquals(1, tally.mails());
        assertEquals(List.of(second), holding("a.example"), first);
    }

    @Test
    void filesOfAnotherKeyTellNothing() throws Exception {
        deliverAlone("www.a.example");
        Files.write(file("installation.key"), new byte[InstallationKey.BYTES]);
        assertEquals(List.of(), holding("a.example"));
        assertEquals(1, RecentMail.since(NOON, options()).unreadable());
        Files.delete(file("installation.key"));
        assertEquals(1, RecentMail.since(NOON, options()).unreadable());
        assertTrue(RecentMail.since(NOON, options()).isEmpty());
        String after = deliverAlone("www.a.example");
        assertEquals(List.of(after), holding("a.example"));
    }

    @Test
    void ofTwoGatewaysInOneDirectoryOneRecordsAndTheOtherCounts() throws Exception {
        String before = deliverAlone("www.a.example");
        try (HourFileWriter second = writer()) {
            try (HourFileWriter first = writer()) {
                first.append(List.of(mail("www.b.example")));
                byte[] bytes = Files.readAllBytes(file("2026-03-02T12.keys"));
                IOException refused =
                        assertThrows(IOException.class, () -> second.append(List.of(mail("www.c.example"))));
                assertTrue(
                        String.valueOf(refused.getMessage()).contains("journal.keys.directory"), refused::getMessage);
                assertArrayEquals(bytes, Files.readAllBytes(file("2026-03-02T12.keys")));
                first.append(List.of(mail("www.b.example")));
            }
            second.append(List.of(mail("www.c.example")));
        }
        assertEquals(List.of(before), holding("a.example"));
        assertEquals(2, holding("b.example").size());
        assertEquals(1, holding("c.example").size());
    }

    private HourFileWriter writer() throws IOException {
        return new HourFileWriter(
                options(), InstallationKey.openOrCreate(folder).hash(), InstantSource.fixed(now));
    }

    private MailKeys mail(String host) throws IOException {
        MailKeys keys = new MailKeys(InstallationKey.openOrCreate(folder).hash());
        KeyBatch batch = new KeyBatch();
        batch.begin(new Identifier(KeyKind.DOMAIN, host, Place.LINK, "link"));
        batch.append(host).endKey(KeyKind.DOMAIN, true);
        batch.append(host.substring(host.indexOf('.') + 1)).endKey(KeyKind.DOMAIN, false);
        keys.add(batch);
        keys.setMessage(Token.parseBits(Token.generate()), now.getEpochSecond());
        return keys;
    }

    @Test
    void keyOfAnotherLengthIsNotReplacedAndStopsNobody() throws Exception {
        String before = deliverAlone("www.a.example");
        byte[] key = Files.readAllBytes(file("installation.key"));
        Files.write(file("installation.key"), new byte[3]);
        try (HourlyKeyJournal journal = open()) {
            assertTrue(journal.begin().isEmpty());
            assertEquals(1, journal.dropped());
        }
        assertArrayEquals(new byte[3], Files.readAllBytes(file("installation.key")));
        assertEquals(1, RecentMail.since(NOON, options()).unreadable());
        Files.write(file("installation.key"), key);
        assertEquals(List.of(before), holding("a.example"));
    }

    @Test
    void keyWithoutAnByteIsWhatACrashLeftAndIsMadeAnew() throws Exception {
        Files.createFile(file("installation.key"));
        String token = deliverAlone("www.a.example");
        assertEquals(InstallationKey.BYTES, Files.size(file("installation.key")));
        assertEquals(List.of(token), holding("a.example"));
    }

    @Test
    void keyThatCouldNotBeMadeAtFirstIsMadeLater() throws Exception {
        Path inTheWay = Files.createFile(folder.resolve("in-the-way"));
        KeyJournalOptions below = new KeyJournalOptions(inTheWay, Duration.ofDays(2), maxBytes);
        try (HourlyKeyJournal journal = new HourlyKeyJournal(below, InstantSource.fixed(now), Duration.ofMillis(1))) {
            assertTrue(journal.begin().isEmpty());
            Files.delete(inTheWay);
            while (journal.begin().isEmpty()) {
                Thread.onSpinWait();
            }
        }
        assertTrue(Files.exists(inTheWay.resolve("installation.key")));
    }

    @Test
    void hourWhoseMiddleIsGarbledIsToldOf() throws Exception {
        deliverAlone("www.a.example");
        byte[] bytes = Files.readAllBytes(file("2026-03-02T12.keys"));
        Arrays.fill(bytes, HourFileFormat.HEAD_BYTES, HourFileFormat.HEAD_BYTES + 12, (byte) 0xff);
        Files.write(file("2026-03-02T12.keys"), bytes);
        RecentMail<String> recent = RecentMail.since(NOON, options());
        assertTrue(recent.forEach((_, _, _, _) -> {}).damaged() > 0);
    }

    @Test
    void filesAreForTheirOwnerOnly() throws Exception {
        deliverAlone("www.a.example");
        for (String name : List.of("installation.key", "2026-03-02T12.keys")) {
            assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file(name))));
        }
    }

    @Test
    void nothingRecordedIsNothingFound() throws Exception {
        RecentMail<String> recent = RecentMail.since(NOON, options());
        assertTrue(recent.isEmpty());
        assertEquals(0, recent.forEach((_, _, _, _) -> {}).mails());
    }

    @Test
    void hoursOlderThanKeptAreDeleted() throws Exception {
        String first = deliverAlone("www.a.example");
        now = NOON.plus(Duration.ofHours(1));
        String second = deliverAlone("www.a.example");
        assertEquals(List.of(first, second), holding("a.example"));
        assertEquals(List.of(second), holding("a.example", Match.SUFFIX, ALL, NOON.plusSeconds(1)));
        now = NOON.plus(Duration.ofHours(49));
        deliverAlone("www.b.example");
        assertFalse(Files.exists(file("2026-03-02T12.keys")));
        assertTrue(Files.exists(file("2026-03-02T13.keys")));
    }

    @Test
    void bytesStayWithinTheirBound() throws Exception {
        maxBytes = 1 << 20;
        String[] hosts = new String[500];
        String last = "";
        for (int hour = 0; hour < 20; hour++) {
            now = NOON.plus(Duration.ofHours(hour));
            try (HourlyKeyJournal journal = open()) {
                for (int mail = 0; mail < 20; mail++) {
                    String mark = hour + "-" + mail;
                    Arrays.setAll(hosts, i -> "h" + i + ".d" + mark + ".example");
                    last = deliver(journal, hosts);
                }
            }
            long total = 0;
            for (HourFile file : HourFile.oldestFirst(folder)) {
                total += Files.size(file.in(folder));
            }
            assertTrue(total <= maxBytes, hour + ": " + total);
        }
        assertEquals(List.of(last), holding("d19-19.example"));
    }

    /// A message from a client with so many keys of hosts, at this place.
    private void flood(KeyJournal journal, String client, Place place, int hosts, String mark) {
        KeyBatch batch = new KeyBatch();
        for (int i = 0; i < hosts; i++) {
            String host = "h" + i + "." + mark + ".example";
            batch.begin(new Identifier(KeyKind.DOMAIN, host, place, "link"));
            batch.append(host).endKey(KeyKind.DOMAIN, true);
        }
        MailKeys keys = journal.begin().orElseThrow();
        keys.setClient(InetAddress.ofLiteral(client));
        keys.add(batch);
        journal.record(Token.generate(), now, keys);
    }

    @Test
    void floodOfOneNetwork_leavesTheRecordsOfOthers() throws Exception {
        maxBytes = 1 << 20;
        try (HourlyKeyJournal journal = open()) {
            flood(journal, "198.51.100.1", Place.LINK, 10, "honest");
        }
        HourlyKeyJournal second = open();
        try (HourlyKeyJournal journal = second) {
            for (int i = 0; i < 1_000; i++) {
                flood(journal, "192.0.2." + i % 256, Place.LINK, 20, "flood" + i);
            }
            flood(journal, "198.51.100.1", Place.LINK, 10, "late");
        }
        long evicted = second.evicted();
        assertEquals(1, holding("honest.example", "h1").size());
        assertEquals(1, holding("late.example", "h1").size());
        assertEquals(1, holding("flood999.example", "h1").size());
        assertEquals(0, holding("flood0.example", "h1").size());
        assertTrue(evicted >= 1_000 - maxBytes / 8 / HourFileFormat.bytes(20), "" + evicted);
        assertTrue(Files.size(file("2026-03-02T12.keys")) < maxBytes / 8 + 1_000);
    }

    private List<String> holding(String domain, String host) throws IOException {
        return holding(host + "." + domain);
    }

    @Test
    void messageOfManyKeys_leavesAShareOfEachPlace() throws Exception {
        try (HourlyKeyJournal journal = open()) {
            KeyBatch batch = new KeyBatch();
            for (Place place : List.of(Place.RAW, Place.LINK, Place.ORIGINATOR, Place.ENVELOPE)) {
                for (int i = 0; i < (place == Place.ENVELOPE ? 1 : 4_000); i++) {
                    batch.begin(new Identifier(KeyKind.DOMAIN, place + "" + i, place, ""));
                    batch.append(place + "" + i).endKey(KeyKind.DOMAIN, true);
                }
            }
            MailKeys keys = journal.begin().orElseThrow();
            keys.add(batch);
            journal.record(Token.generate(), now, keys);
        }
        assertTrue(Files.size(file("2026-03-02T12.keys")) <= 16 + 4_096);
        assertEquals(1, holding("ENVELOPE0").size());
        assertEquals(249, recorded("ORIGINATOR"));
        assertEquals(124, recorded("LINK"));
        assertEquals(125, recorded("RAW"));
    }

    private int recorded(String place) throws IOException {
        RecentMail<String> recent = RecentMail.since(NOON.minusSeconds(1), options());
        for (int i = 0; i < 4_000; i++) {
            String key = place + i;
            byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
            recent.note(
                    KeyKind.DOMAIN.wireCode(), bytes, 0, bytes.length, RecentMail.reach(Match.EXACT, ALL), () -> key);
        }
        List<String> found = new ArrayList<>();
        recent.forEach((_, _, _, listings) -> found.addAll(listings));
        return found.size();
    }

    @Test
    void manyKeys_areFoundAsFewAre() throws Exception {
        String token = deliverAlone("www.a.example", "www.b.example");
        RecentMail<String> recent = RecentMail.forMany(NOON.minusSeconds(1), options());
        for (int i = 0; i < 100_000; i++) {
            byte[] bytes = (i == 70_000 ? "b.example" : "x" + i).getBytes(StandardCharsets.UTF_8);
            recent.note(
                    KeyKind.DOMAIN.wireCode(), bytes, 0, bytes.length, RecentMail.reach(Match.SUFFIX, ALL), () -> "b");
        }
        List<String> tokens = new ArrayList<>();
        recent.forEach((found, _, _, listings) -> tokens.add(found + listings.size()));
        assertEquals(List.of(token + "1"), tokens);
    }

    @Test
    void closedJournalTakesNothingAndCounts() throws Exception {
        HourlyKeyJournal journal = open();
        journal.close();
        assertTrue(journal.begin().isEmpty());
        assertEquals(1, journal.dropped());
    }

    @Test
    void tokenIsItsBits() {
        String token = Token.generate();
        assertEquals(token, Token.of(Token.parseBits(token)));
    }
}
