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
        assertTrue(mixed.knows("FROM:<a@from.example>", "TO:<c@to.example>"));
        assertFalse(mixed.knows(SENDER, "TO:<d@to.example>"));
        assertFalse(mixed.knows("FROM:<>", "TO:<b@to.example>"));
        now.set(MixedReplies.KEPT.toNanos() - 1);
        assertTrue(mixed.knows(SENDER, "TO:<b@to.example>"));
        now.incrementAndGet();
        assertFalse(mixed.knows(SENDER, "TO:<b@to.example>"));
    }

    @Test
    void theOldestIsForgotten() {
        for (int i = 0; i <= MixedReplies.MOST; i++) {
            mixed.remember(SENDER, List.of("TO:<" + i + "@to.example>"));
        }
        assertFalse(mixed.knows(SENDER, "TO:<0@to.example>"));
        assertEquals(true, mixed.knows(SENDER, "TO:<1@to.example>"));
        assertTrue(mixed.knows(SENDER, "TO:<" + MixedReplies.MOST + "@to.example>"));
    }
}
