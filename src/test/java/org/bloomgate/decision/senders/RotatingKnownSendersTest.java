package org.bloomgate.decision.senders;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.bloomgate.base.net.IpLiteral;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RotatingKnownSendersTest {
    private static final String JANE = "jane@corp.example";
    private static final String JOHN = "john@corp.example";
    private static final String SHOP = "news@shop.example";

    @TempDir
    private Path folder;

    private volatile Instant now = ContactYear.BEGIN;
    private final InstantSource clock = () -> now;
    private RotatingKnownSenders ring;

    @BeforeEach
    void begin() throws IOException {
        ring = new RotatingKnownSenders(folder.resolve("contacts"), clock);
        now = now.plus(RotatingKnownSenders.LEARNING_PERIOD);
    }

    @AfterEach
    void end() {
        ring.close();
    }

    private void restart() throws IOException {
        ring.close();
        ring = new RotatingKnownSenders(folder.resolve("contacts"), clock);
    }

    private FirstContact of(String recipient, String sender) {
        return ring.firstContact(List.of(recipient), sender);
    }

    private List<Path> files() throws IOException {
        try (var all = Files.list(folder.resolve("contacts"))) {
            return all.filter(file -> file.toString().endsWith(".pairs"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void senderIsNewUntilTheFirstMailAndThenKnown() {
        assertEquals(FirstContact.DOMAIN, of(JANE, SHOP));
        ring.remember(JANE, SHOP, Optional.empty());
        assertEquals(FirstContact.NONE, of(JANE, SHOP));
        assertEquals(FirstContact.NONE, of("Jane@CORP.example", "News@shop.example"));
        assertEquals(FirstContact.RECIPIENT, of(JANE, "other@shop.example"));
        assertEquals(FirstContact.DOMAIN, of(JOHN, SHOP));
        assertEquals(FirstContact.DOMAIN, of(SHOP, JANE));
    }

    @Test
    void allRecipientsHaveToAgree() {
        ring.remember(JANE, SHOP, Optional.empty());
        assertEquals(FirstContact.NONE, ring.firstContact(List.of(JOHN, JANE), SHOP));
        assertEquals(FirstContact.RECIPIENT, ring.firstContact(List.of(JOHN, JANE), "x@shop.example"));
        assertEquals(FirstContact.NONE, ring.firstContact(List.of(), SHOP));
    }

    @Test
    void nothingIsToldInTheFirstFourteenDays() {
        now = now.minusSeconds(1);
        assertEquals(FirstContact.NONE, of(JANE, SHOP));
        now = now.plusSeconds(1);
        assertEquals(FirstContact.DOMAIN, of(JANE, SHOP));
    }

    @Test
    void contactsAndTheirBeginningSurviveARestart() throws IOException {
        ring.remember(JANE, SHOP, Optional.empty());
        restart();
        assertEquals(FirstContact.NONE, of(JANE, SHOP));
        assertEquals(FirstContact.DOMAIN, of(JOHN, SHOP));
    }

    @Test
    void hashThatWasTornIsCutOffAndTheRestStays() throws IOException {
        ring.remember(JANE, SHOP, Optional.empty());
        ring.close();
        Files.write(files().getFirst(), new byte[] {1, 2, 3}, StandardOpenOption.APPEND);
        restart();
        ring.remember(JOHN, SHOP, Optional.empty());
        restart();
        assertEquals(FirstContact.NONE, of(JANE, SHOP));
        assertEquals(FirstContact.NONE, of(JOHN, SHOP));
        assertEquals(16 + 4 * 8, Files.size(files().getFirst()));
    }

    @Test
    void headThatWasTornBeginsAnew() throws IOException {
        ring.remember(JANE, SHOP, Optional.empty());
        ring.close();
        Files.write(files().getFirst(), new byte[] {1, 2, 3});
        restart();
        assertEquals(FirstContact.DOMAIN, of(JANE, SHOP));
        ring.remember(JANE, SHOP, Optional.empty());
        restart();
        assertEquals(FirstContact.NONE, of(JANE, SHOP));
    }

    @Test
    void whoIsSilentForAYearIsForgottenAndWhoIsNotStays() throws IOException {
        ring.remember(JANE, SHOP, Optional.empty());
        for (int i = 0; i < RotatingKnownSenders.SLOTS; i++) {
            assertEquals(FirstContact.NONE, of(JANE, SHOP), "after " + i);
            now = now.plus(Duration.ofDays(PairFile.DAYS));
            ring.remember(JOHN, SHOP, Optional.empty());
        }
        assertEquals(FirstContact.DOMAIN, of(JANE, SHOP));
        assertEquals(FirstContact.NONE, of(JOHN, SHOP));
        restart();
        assertEquals(FirstContact.DOMAIN, of(JANE, SHOP));
        assertEquals(FirstContact.NONE, of(JOHN, SHOP));
        assertEquals(RotatingKnownSenders.SLOTS, files().size());
    }

    @Test
    void filesHoldNoName() throws IOException {
        ring.remember(JANE, SHOP, Optional.empty());
        ring.close();
        assertTrue(Files.size(files().getFirst()) > 16);
        assertEquals(
                -1,
                new String(Files.readAllBytes(files().getFirst()), java.nio.charset.StandardCharsets.ISO_8859_1)
                        .indexOf("shop"));
    }

    @Test
    void secondGatewayInTheSameFolderIsRefused() {
        IOException refused =
                assertThrows(IOException.class, () -> new RotatingKnownSenders(folder.resolve("contacts"), clock));
        assertTrue(refused.toString().contains("in use by another gateway"), refused.toString());
    }

    @Test
    void keyOfAnotherLengthIsNotReplaced() throws IOException {
        ring.close();
        Files.write(folder.resolve("contacts").resolve("contacts.key"), new byte[3]);
        assertThrows(IOException.class, () -> new RotatingKnownSenders(folder.resolve("contacts"), clock));
    }

    @Test
    void yearOfTraffic_missesFirstContactsAtTheFilterRateOnly() {
        ContactYear year = new ContactYear(200, 200);
        for (int day = ContactYear.FIRST_DAY; day < ContactYear.DAYS; day++) {
            now = ContactYear.noonOf(day);
            year.day(ring, 200, true);
        }
        assertTrue(year.firsts > 25_000, year.firsts + " first contacts");
        assertTrue(year.missed <= 2 * year.firsts * 13 * 1e-4, year.missed + " of " + year.firsts + " missed");
        assertEquals(0, year.wrong);
        assertTrue(year.answers > 3_000, year.answers + " to who was written to");
        assertEquals(0, year.answersTold);
    }

    /// A mail adds a pair of addresses and one with the sender's domain.
    private void meet(int from, int count, Optional<InetAddress> client) {
        for (int i = from; i < from + count; i++) {
            ring.remember(JANE, "a@s" + i + ".example", client);
        }
    }

    @Test
    void oneClientIsRememberedWithSoManyNewSendersInAnHour() throws IOException {
        Optional<InetAddress> client = IpLiteral.parse("192.0.2.1");
        meet(0, RotatingKnownSenders.MAX_NEW_PAIRS_PER_HOUR / 2, client);
        assertEquals(0, ring.countForgotten());
        meet(0, RotatingKnownSenders.MAX_NEW_PAIRS_PER_HOUR / 2, client);
        assertEquals(0, ring.countForgotten(), "the same again");
        meet(100_000, 100, IpLiteral.parse("192.0.2.255"));
        assertTrue(ring.countForgotten() > 180, "of the same /24, but for what came back meanwhile");
        long before = ring.countForgotten();
        meet(200_000, 100, IpLiteral.parse("192.0.3.1"));
        meet(300_000, 100, Optional.empty());
        assertEquals(before, ring.countForgotten());
    }

    @Test
    void allTogetherAreBounded() throws IOException {
        ring.close();
        ring = new RotatingKnownSenders(folder.resolve("bounded"), clock, 10);
        meet(0, 5, Optional.empty());
        assertEquals(10, ring.countPairs());
        assertEquals(0, ring.countForgotten());
        meet(5, 1, Optional.empty());
        assertEquals(10, ring.countPairs());
        assertEquals(2, ring.countForgotten());
    }
}
