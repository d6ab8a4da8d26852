package org.bloomgate.decision.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.bloomgate.base.net.IpLiteral;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SiteMemoryTest {
    private static final Instant BEGIN = Instant.parse("2026-01-08T12:00:00Z");
    private static final SiteMemory.Options BOTH = new SiteMemory.Options(true, true);
    private static final String JANE = "jane@corp.example";
    private static final String JOHN = "john@corp.example";
    private static final String SHOP = "news@shop.example";
    private static final Optional<InetAddress> NOBODY = Optional.empty();

    @TempDir
    private Path folder;

    private volatile Instant now = BEGIN;
    private final InstantSource clock = () -> now;
    private SiteMemory memory;

    @BeforeEach
    void begin() throws IOException {
        memory = new SiteMemory(folder, BOTH, clock);
        pass(Learning.PERIOD);
    }

    @AfterEach
    void end() {
        memory.close();
    }

    private void restart() throws IOException {
        memory.close();
        memory = new SiteMemory(folder, BOTH, clock);
    }

    private void pass(Duration time) {
        now = now.plus(time);
        memory.maintain();
    }

    private void passDays(long days) {
        pass(Duration.ofDays(days));
    }

    private SenderMemory senders() {
        return memory.senders().orElseThrow();
    }

    private LinkMemory links() {
        return memory.links().orElseThrow();
    }

    private FirstContact of(String recipient, String sender) {
        return senders().firstContact(List.of(recipient), sender);
    }

    private void deliver(String domain, String... recipients) {
        links().rememberDelivered(domain, List.of(recipients), NOBODY, false);
    }

    private Optional<Instant> firstSeen(String domain) {
        return links().findSeen(domain).map(NewLink::firstSeen);
    }

    private static Instant startOf(Instant time) {
        return Instant.ofEpochSecond(time.getEpochSecond() / 86_400 * 86_400);
    }

    private List<Path> files(String set, String suffix) throws IOException {
        try (var all = Files.list(folder.resolve(set))) {
            return all.filter(file -> file.toString().endsWith(suffix)).sorted().toList();
        }
    }

    @Test
    void sender_untilFirstMail_isNew() {
        assertEquals(FirstContact.DOMAIN, of(JANE, SHOP));
        senders().rememberPair(JANE, SHOP, NOBODY);
        assertEquals(FirstContact.NONE, of(JANE, SHOP));
        assertEquals(FirstContact.NONE, of("Jane@CORP.example", "News@shop.example"));
        assertEquals(FirstContact.RECIPIENT, of(JANE, "other@shop.example"));
        assertEquals(FirstContact.DOMAIN, of(JOHN, SHOP));
        assertEquals(FirstContact.DOMAIN, of(SHOP, JANE));
        assertFalse(senders().hasWrittenTo(JANE, SHOP));
    }

    @Test
    void recipientOfUser_isKnownToUser() {
        senders().rememberWritten(JANE, SHOP);
        assertEquals(FirstContact.NONE, of(JANE, SHOP));
        assertTrue(senders().hasWrittenTo(JANE, SHOP));
        assertTrue(senders().isKnown(SHOP));
        assertFalse(senders().isKnown("other@shop.example"));
    }

    @Test
    void severalRecipients_allHaveToAgree() {
        senders().rememberPair(JANE, SHOP, NOBODY);
        assertEquals(FirstContact.NONE, senders().firstContact(List.of(JOHN, JANE), SHOP));
        assertEquals(FirstContact.RECIPIENT, senders().firstContact(List.of(JOHN, JANE), "x@shop.example"));
        assertEquals(FirstContact.NONE, senders().firstContact(List.of(), SHOP));
    }

    @Test
    void firstFourteenDays_callNothingNew() {
        now = BEGIN.plus(Learning.PERIOD).minusSeconds(1);
        assertEquals(FirstContact.NONE, of(JANE, SHOP));
        assertEquals(Optional.empty(), links().findNew("shop.example"));
        assertTrue(senders().isKnown(SHOP));
        now = now.plusSeconds(1);
        assertEquals(FirstContact.DOMAIN, of(JANE, SHOP));
        assertTrue(links().findNew("shop.example").isPresent());
        assertFalse(senders().isKnown(SHOP));
        assertEquals(List.of(), memory.listLosses());
    }

    @Test
    void restart_keepsKeysSightingsAndBegin() throws IOException {
        senders().rememberPair(JANE, SHOP, NOBODY);
        deliver("shop.example", JANE);
        Instant first = now;
        pass(Duration.ofMinutes(90));
        deliver("shop.example", JANE, JOHN);
        restart();
        assertEquals(FirstContact.NONE, of(JANE, SHOP));
        assertEquals(FirstContact.DOMAIN, of(JOHN, SHOP));
        assertEquals(Optional.of(new NewLink("shop.example", first, 2, 2)), links().findNew("shop.example"));
    }

    @Test
    void restartAfterMidnight_keepsSightingsOfLastDay() throws IOException {
        deliver("shop.example", JANE);
        Instant first = now;
        pass(Duration.ofHours(20));
        restart();
        assertEquals(Optional.of(first), firstSeen("shop.example"));
        pass(Duration.ofHours(5));
        assertEquals(Optional.of(startOf(first)), firstSeen("shop.example"));
    }

    @Test
    void tornRecord_isCutOff() throws IOException {
        senders().rememberPair(JANE, SHOP, NOBODY);
        memory.close();
        Path log = files("pairs", ".keys").getFirst();
        long whole = Files.size(log);
        Files.write(log, new byte[] {1, 2, 3}, StandardOpenOption.APPEND);
        restart();
        senders().rememberPair(JOHN, SHOP, NOBODY);
        restart();
        assertEquals(FirstContact.NONE, of(JANE, SHOP));
        assertEquals(FirstContact.NONE, of(JOHN, SHOP));
        assertEquals(whole + 2 * 16, Files.size(log));
        assertEquals(List.of(), memory.listLosses());
    }

    /// An interruption closes the file, as the system does with a thread that a disk keeps waiting.
    @Test
    void faultWhileWriting_losesNothingThatWasWritten() throws IOException {
        deliver("before.example", JANE);
        memory.maintain();
        deliver("fault.example", JANE);
        Thread.currentThread().interrupt();
        memory.maintain();
        assertTrue(Thread.interrupted());
        deliver("after.example", JANE);
        restart();
        assertTrue(firstSeen("before.example").isPresent());
        assertTrue(firstSeen("after.example").isPresent());
        assertEquals(List.of(), memory.listLosses());
    }

    @Test
    void domain_everyDayOfAYear_ageIsOfTheOldestSlot() throws IOException {
        deliver("old.example", JANE);
        Instant first = now;
        for (int day = 1; day <= 13 * 28; day++) {
            passDays(1);
            deliver("daily.example", JANE);
            if (day % 50 == 0) {
                restart();
            }
            long period = MemorySet.periodOf(first.getEpochSecond() / 86_400);
            Instant expected = day == 1 ? first : day < 28 ? startOf(first) : Instant.ofEpochSecond(period * 86_400);
            if (day <= 12 * 28) {
                assertEquals(Optional.of(expected), firstSeen("old.example"), "after " + day);
            }
        }
        assertEquals(Optional.empty(), firstSeen("old.example"));
        assertTrue(firstSeen("daily.example").orElseThrow().isBefore(now.minus(Duration.ofDays(300))));
        assertEquals(27, files("links", ".day.filter").size());
        assertTrue(files("links", ".filter").size() <= 27 + 12, files("links", ".filter") + "");
        assertEquals(1, files("links", ".keys").size(), "that of the last day");
        assertEquals(List.of(), memory.listLosses());
    }

    @Test
    void silentSender_isForgottenAfterAYear() throws IOException {
        senders().rememberPair(JANE, SHOP, NOBODY);
        for (int i = 0; i <= MemorySet.PERIODS; i++) {
            assertEquals(FirstContact.NONE, of(JANE, SHOP), "after " + i);
            senders().rememberPair(JOHN, SHOP, NOBODY);
            passDays(MemorySet.PERIOD_DAYS);
        }
        assertEquals(FirstContact.DOMAIN, of(JANE, SHOP));
        assertEquals(FirstContact.NONE, of(JOHN, SHOP));
        restart();
        assertEquals(FirstContact.DOMAIN, of(JANE, SHOP));
        assertEquals(FirstContact.NONE, of(JOHN, SHOP));
        assertEquals(MemorySet.PERIODS, files("pairs", ".filter").size());
    }

    /// Days are UTC days, so a change to or from daylight saving time is an ordinary hour.
    @ParameterizedTest
    @ValueSource(strings = {"PT-48H", "PT48H", "PT-1H", "PT1H", "PT24H"})
    void clockThatJumps_losesNoSlotAndMakesNothingYoung(Duration jump) throws IOException {
        deliver("before.example", JANE);
        passDays(3);
        deliver("today.example", JANE);
        Instant today = now;
        Instant before = firstSeen("before.example").orElseThrow();
        pass(jump);
        deliver("after.example", JANE);
        for (int i = 0; i < 2; i++) {
            assertEquals(before, startOf(firstSeen("before.example").orElseThrow()));
            assertFalse(firstSeen("today.example").orElseThrow().isAfter(today), "young again");
            assertTrue(firstSeen("after.example").isPresent());
            restart();
        }
        now = today.plus(Duration.ofDays(5));
        memory.maintain();
        assertEquals(Optional.of(before), firstSeen("before.example"));
        assertFalse(firstSeen("today.example").orElseThrow().isAfter(startOf(today)));
        assertTrue(firstSeen("after.example").isPresent());
        assertEquals(List.of(), memory.listLosses());
    }

    @Test
    void crashAtClosingOfADay_losesNothing() throws IOException {
        deliver("shop.example", JANE);
        memory.maintain();
        Path log = files("links", ".keys").getFirst();
        byte[] keys = Files.readAllBytes(log);
        passDays(1);
        // the filter file of the day is there and the log was not deleted; then without the filter file
        Files.write(log, keys);
        restart();
        assertTrue(firstSeen("shop.example").isPresent());
        Files.delete(files("links", ".day.filter").getLast());
        restart();
        assertTrue(firstSeen("shop.example").isPresent());
        assertEquals(List.of(), memory.listLosses());
    }

    @Test
    void filterFiles_showNoName() throws IOException {
        senders().rememberPair(JANE, SHOP, NOBODY);
        deliver("shop.example", JANE);
        passDays(1);
        memory.close();
        try (var all = Files.walk(folder)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                String content = Files.readString(file, StandardCharsets.ISO_8859_1);
                assertFalse(content.contains("shop") || content.contains("jane"), file.toString());
            }
        }
    }

    @Test
    void damagedSlot_isNamedAndSilences() throws IOException {
        deliver("shop.example", JANE);
        passDays(1);
        memory.close();
        Path file = files("links", ".day.filter").getLast();
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length - 1] ^= 1;
        Files.write(file, bytes);
        restart();
        assertLoss("links", "links/" + file.getFileName());
        assertEquals(FirstContact.DOMAIN, of(JANE, SHOP), "senders are whole");
        restart();
        assertLoss("links", "links/" + file.getFileName());
    }

    private void assertLoss(String part, String reason) {
        SiteMemory.Loss loss = memory.listLosses().stream()
                .filter(one -> one.part().equals(part))
                .findFirst()
                .orElseThrow();
        assertTrue(loss.reason().contains(reason), loss.reason());
        assertEquals(Optional.empty(), links().findNew("never.example"));
        Instant then = now;
        now = loss.since().plus(Learning.PERIOD).minusSeconds(1);
        assertEquals(Optional.empty(), links().findNew("never.example"));
        now = now.plusSeconds(1);
        assertTrue(links().findNew("never.example").isPresent());
        now = then;
    }

    @Test
    void lostKey_silences() throws IOException {
        deliver("shop.example", JANE);
        memory.close();
        Files.delete(folder.resolve(MemoryKey.FILE));
        restart();
        assertLoss("links", "of another key");
        assertEquals(Optional.empty(), firstSeen("shop.example"));
    }

    @Test
    void keyOfAnotherLength_isNotReplaced() throws IOException {
        memory.close();
        Files.write(folder.resolve(MemoryKey.FILE), new byte[3]);
        assertThrows(IOException.class, () -> new SiteMemory(folder, BOTH, clock));
    }

    @Test
    void secondGatewayInTheFolder_isRefused() {
        IOException refused = assertThrows(IOException.class, () -> new SiteMemory(folder, BOTH, clock));
        assertTrue(refused.toString().contains("in use by another gateway"), refused.toString());
    }

    @Test
    void allPairs_areBounded() throws IOException {
        memory.close();
        memory = new SiteMemory(folder.resolve("bounded"), BOTH, clock, 10);
        pass(Learning.PERIOD);
        meet(0, 5, NOBODY);
        assertEquals(10, memory.countKeys(MemorySet.PAIRS));
        assertEquals(0, memory.countForgotten());
        meet(5, 1, NOBODY);
        assertEquals(10, memory.countKeys(MemorySet.PAIRS));
        assertEquals(2, memory.countForgotten());
        assertEquals(FirstContact.NONE, of(JANE, "a@never.example"), "what is new is not known any more");
        assertTrue(memory.listLosses().getFirst().reason().contains("full"));
    }

    /// A message adds a pair of addresses and one with the sender's domain.
    private void meet(int from, int count, Optional<InetAddress> client) {
        for (int i = from; i < from + count; i++) {
            senders().rememberPair(JANE, "a@s" + i + ".example", client);
        }
    }

    @Test
    void newSendersOfOneClient_areLimitedPerHour() {
        Optional<InetAddress> client = IpLiteral.parse("192.0.2.1");
        meet(0, MemoryPart.MAX_NEW_KEYS_PER_HOUR / 2, client);
        assertEquals(0, memory.countForgotten());
        meet(0, MemoryPart.MAX_NEW_KEYS_PER_HOUR / 2, client);
        assertEquals(0, memory.countForgotten(), "the same again");
        meet(100_000, 100, IpLiteral.parse("192.0.2.255"));
        assertTrue(memory.countForgotten() > 180, "of the same /24, but for what came back meanwhile");
        long before = memory.countForgotten();
        meet(200_000, 100, IpLiteral.parse("192.0.3.1"));
        meet(300_000, 100, NOBODY);
        assertEquals(before, memory.countForgotten());
    }

    @Test
    void firstSightings_beyondTheTable_silence() {
        for (int i = 0; i < SightingTable.MAX_SIGHTINGS; i++) {
            links().noteDeferredLink("d" + i + ".example");
        }
        assertEquals(List.of(), memory.listLosses());
        links().noteDeferredLink("last.example");
        assertLoss("links", "table of first sightings is full");
    }

    @Test
    void yearOfMail_missesFewNewDomainsAndInventsNone() throws IOException {
        SplittableRandom random = new SplittableRandom(9);
        int missed = 0;
        int probes = 0;
        for (int day = 0; day < 13 * 28; day++) {
            for (int i = 0; i < 60; i++) {
                deliver("new" + day + "-" + i + ".example", JANE);
                deliver("old" + random.nextInt(1_000) + ".example", JANE);
            }
            passDays(1);
        }
        for (int i = 0; i < 50_000; i++) {
            probes++;
            missed += firstSeen("never" + i + ".example").isPresent() ? 1 : 0;
        }
        for (int i = 0; i < 1_000; i++) {
            assertTrue(firstSeen("old" + i + ".example").isPresent());
        }
        double rate = memory.predictedRate(MemorySet.LINKS);
        assertTrue(rate < 0.04, "compound rate " + rate);
        assertEquals(rate, (double) missed / probes, Math.max(0.002, 0.3 * rate));
    }
}
