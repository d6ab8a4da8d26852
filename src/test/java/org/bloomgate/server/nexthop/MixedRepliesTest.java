package org.bloomgate.server.nexthop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class MixedRepliesTest {
    private static final String SENDER = "FROM:<a@from.example> SIZE=100";

    private final AtomicLong now = new AtomicLong();
    private final MixedReplies mixed = new MixedReplies(now::get);

    @Test
    void anEnvelopeIsKnownForFourHoursWhateverItsParameters() {
        mixed.remember(SENDER, List.of("TO:<b@to.example>", "TO:<c@to.example> NOTIFY=NEVER"));
        assertTrue(mixed.contains("FROM:<a@from.example>", "TO:<c@to.example>"));
        assertFalse(mixed.contains(SENDER, "TO:<d@to.example>"));
        assertFalse(mixed.contains("FROM:<>", "TO:<b@to.example>"));
        now.set(MixedReplies.RETENTION.toNanos() - 1);
        assertTrue(mixed.contains(SENDER, "TO:<b@to.example>"));
        now.incrementAndGet();
        assertFalse(mixed.contains(SENDER, "TO:<b@to.example>"));
    }

    @Test
    void theOldestIsForgotten() {
        for (int i = 0; i <= MixedReplies.MAX_PAIRS; i++) {
            mixed.remember(SENDER, List.of("TO:<" + i + "@to.example>"));
        }
        assertFalse(mixed.contains(SENDER, "TO:<0@to.example>"));
        assertEquals(true, mixed.contains(SENDER, "TO:<1@to.example>"));
        assertTrue(mixed.contains(SENDER, "TO:<" + MixedReplies.MAX_PAIRS + "@to.example>"));
    }
}
