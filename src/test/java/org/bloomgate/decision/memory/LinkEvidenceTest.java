package org.bloomgate.decision.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What makes a link domain known: evidence that one message cannot give.
class LinkEvidenceTest {
    private static final String DOMAIN = "new.example";

    @TempDir
    private Path folder;

    private Instant now = Instant.parse("2026-01-08T12:00:00Z");
    private SiteMemory memory = SiteMemory.NONE;

    @BeforeEach
    void open() throws IOException {
        memory = new SiteMemory(folder, new SiteMemory.Options(true, false), () -> now);
        passDays(14);
    }

    @AfterEach
    void close() {
        memory.close();
    }

    private void passDays(int days) {
        now = now.plus(Duration.ofDays(days));
        memory.maintain();
    }

    private LinkMemory links() {
        return memory.links().orElseThrow();
    }

    private void deliver(String domain, boolean isProven, String... recipients) {
        links().rememberDelivered(domain, List.of(recipients), Optional.empty(), isProven);
    }

    private boolean isKnown() {
        assertEquals(links().isKnown(DOMAIN), links().findNew(DOMAIN).isEmpty());
        return links().isKnown(DOMAIN);
    }

    @Test
    void oneRecipientForThirtyDays_isNotEnough() {
        for (int day = 0; day < 30; day++) {
            deliver(DOMAIN, false, "jane@corp.example");
            passDays(1);
        }
        assertFalse(isKnown());
    }

    @Test
    void threeRecipientsOnTwoDays_areEnough() {
        deliver(DOMAIN, false, "jane@corp.example", "john@corp.example");
        passDays(1);
        assertFalse(isKnown());
        deliver(DOMAIN, false, "joe@corp.example");
        assertTrue(isKnown());
    }

    @Test
    void twoRecipientsOnTwoDays_areNotEnough() {
        for (int day = 0; day < 2; day++) {
            deliver(DOMAIN, false, "jane@corp.example", "john@corp.example");
            passDays(1);
        }
        assertFalse(isKnown());
    }

    @Test
    void thousandRecipientsOnOneDay_areNotEnough() {
        for (int i = 0; i < 1_000; i++) {
            deliver(DOMAIN, false, "user" + i + "@corp.example");
        }
        assertFalse(isKnown());
        assertEquals(1_000, links().findNew(DOMAIN).orElseThrow().recipients());
        assertEquals(1_000, links().findNew(DOMAIN).orElseThrow().messages());
    }

    @Test
    void answerOfAuthenticatedSender_isEnough() {
        deliver(DOMAIN, false, "jane@corp.example");
        assertFalse(isKnown());
        deliver(DOMAIN, true, "jane@corp.example");
        assertTrue(isKnown());
    }

    @Test
    void witnessesOfEarlierMonths_areForgotten() {
        deliver(DOMAIN, false, "jane@corp.example", "john@corp.example");
        passDays(MemorySet.PERIOD_DAYS + 1);
        deliver(DOMAIN, false, "joe@corp.example");
        assertFalse(isKnown());
    }

    @Test
    void knownDomain_staysKnownWhileItIsUsed() {
        deliver(DOMAIN, true, "jane@corp.example");
        for (int month = 0; month < 15; month++) {
            passDays(MemorySet.PERIOD_DAYS);
            deliver(DOMAIN, false, "jane@corp.example");
        }
        assertTrue(isKnown());
        passDays(14 * MemorySet.PERIOD_DAYS);
        assertFalse(isKnown());
    }

    @Test
    void deferral_notesTheFirstMinuteAndNothingElse() {
        links().noteDeferredLink(DOMAIN);
        Instant first = now;
        now = now.plus(Duration.ofMinutes(20));
        assertEquals(new NewLink(DOMAIN, first, 0, 0), links().findNew(DOMAIN).orElseThrow());
        passDays(2);
        assertEquals(Optional.empty(), links().findSeen(DOMAIN));
    }

    @Test
    void retry_isTheSameMessageInALaterMinute() {
        links().noteDeferredMessage("192.0.2.0/24\na@x.example\njane@corp.example\n<1@x.example>");
        assertFalse(links().isRetry("192.0.2.0/24\na@x.example\njane@corp.example\n<1@x.example>"));
        now = now.plus(Duration.ofMinutes(1));
        assertTrue(links().isRetry("192.0.2.0/24\na@x.example\njane@corp.example\n<1@x.example>"));
        assertFalse(links().isRetry("192.0.2.0/24\na@x.example\njane@corp.example\n<2@x.example>"));
    }
}
