package org.bloomgate.base.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.bloomgate.base.audit.AuditEvent.What;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditLogTest {
    private static final Instant NOON = Instant.parse("2026-01-02T12:00:00Z");
    private static final String GOLDEN = "{\"time\":\"2026-01-02T12:00:00Z\",\"who\":\"ada\",\"way\":\"page\","
            + "\"from\":\"192.0.2.1\",\"what\":\"listing-add\",\"subject\":\"bad.example\","
            + "\"detail\":{\"kind\":\"domain\",\"reason\":\"says \\\"so\\\"\"}}\n";

    @TempDir
    private Path folder;

    private AuditLog trail() {
        return new AuditLog(folder);
    }

    private static AuditEvent event(String who, Instant at, What what, String subject) {
        return AuditEvent.of(
                at,
                new Actor(who, Actor.Way.PAGE, "192.0.2.1"),
                what,
                subject,
                Map.of("kind", "domain", "reason", "says \"so\"", "feed", ""));
    }

    private List<String> subjects(String who, String what, String value, Instant since, int limit) throws IOException {
        return trail().find(new AuditQuery(who, what, value, since, limit)).events().stream()
                .map(AuditEvent::subject)
                .toList();
    }

    @Test
    void aLineIsTheseBytesAndIsReadAgain() throws IOException {
        AuditEvent event = event("ada", NOON, What.LISTING_ADD, "bad.example");
        trail().record(List.of(event));
        assertEquals(GOLDEN, Files.readString(folder.resolve("audit.jsonl")));
        assertEquals(
                List.of(event),
                trail().find(new AuditQuery("", "", "", NOON, 10)).events());
    }

    @Test
    void deedsAreFoundByWhoWhatValueAndTimeNewestFirst() throws IOException {
        trail().record(List.of(
                event("ada", NOON, What.LISTING_ADD, "bad.example"),
                event("bob", NOON.plusSeconds(1), What.LISTING_REMOVE, "bad.example"),
                event("ada", NOON.plusSeconds(2), What.QUARANTINE_RELEASE, "0123456789AB")));
        assertEquals(List.of("0123456789AB", "bad.example"), subjects("ADA", "", "", NOON, 10));
        assertEquals(List.of("bad.example", "bad.example"), subjects("", "listing", "", NOON, 10));
        assertEquals(List.of("bad.example"), subjects("", "listing-add", "", NOON, 10));
        assertEquals(List.of("0123456789AB"), subjects("", "", "56789ab", NOON, 10));
        assertEquals(3, subjects("", "", "says", NOON, 10).size());
        assertEquals(List.of("0123456789AB", "bad.example"), subjects("", "", "", NOON.plusSeconds(1), 10));
        assertEquals(List.of("0123456789AB"), subjects("", "", "", NOON, 1));
    }

    @Test
    void aDamagedLineIsCountedAndHidesNothing() throws IOException {
        trail().record(List.of(event("ada", NOON, What.LISTING_ADD, "one.example")));
        Files.writeString(folder.resolve("audit.jsonl"), "{\"time\":\"2026-\n", StandardOpenOption.APPEND);
        trail().record(List.of(event("ada", NOON, What.LISTING_ADD, "two.example")));
        AuditLog.Result found = trail().find(new AuditQuery("", "", "", NOON, 10));
        assertEquals(
                List.of("two.example", "one.example"),
                found.events().stream().map(AuditEvent::subject).toList());
        assertEquals(1, found.damaged());
    }

    @Test
    void openedMessages_pushOutNoChange() throws IOException {
        trail().record(List.of(event("ada", NOON, What.LISTING_ADD, "one.example")));
        String longest = "x".repeat(AuditEvent.MAX_CHARS);
        List<AuditEvent> opened =
                Collections.nCopies(1_000, event("eve", NOON.plusSeconds(1), What.QUARANTINE_SHOW, longest));
        for (long bytes = 0; bytes < 2 * AuditLog.MAX_BYTES; bytes += 1_000 * AuditEvent.MAX_CHARS) {
            trail().record(opened);
        }
        assertEquals(List.of("one.example"), subjects("", "listing", "", NOON, 10));
        assertEquals(List.of(longest, longest), subjects("", "", "", NOON, 2));
    }

    @Test
    void longTextsAreCutAndLimitsHaveBounds() {
        String cut = event("a".repeat(10_000), NOON, What.ROLLBACK, "nightly").who();
        assertEquals(AuditEvent.MAX_CHARS + 2, cut.length());
        assertThrows(IllegalArgumentException.class, () -> new AuditQuery("", "", "", NOON, 0));
        assertThrows(IllegalArgumentException.class, () -> new AuditQuery("", "", "", NOON, AuditQuery.MAX_LIMIT + 1));
    }

    @Test
    void command_isOfThePersonBehindItsUser() {
        assertEquals(
                new Actor("ada", Actor.Way.COMMAND, "192.0.2.9"),
                Actor.ofCommand(
                        "bloomgate", Map.of("SUDO_USER", "ada", "SSH_CONNECTION", "192.0.2.9 51000 192.0.2.1 22")));
        assertEquals(new Actor("ada", Actor.Way.COMMAND, ""), Actor.ofCommand("ada", Map.of()));
    }
}
