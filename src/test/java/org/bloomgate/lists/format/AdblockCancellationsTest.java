package org.bloomgate.lists.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedCounts;
import org.bloomgate.lists.fetch.FeedRefusedException;
import org.junit.jupiter.api.Test;

class AdblockCancellationsTest {
    private static final String RULE = "||%06d.example^$badfilter\n";

    /// What one line of [#RULE] counts as.
    private static final int CHARS = String.format(RULE, 0).length() - 1 + 128;

    private static final Feed FEED = FeedFixtures.feed(Map.of("format", "adblock"));

    @Test
    void asManyAsTheBoundAllowsAreTakenBack() throws FeedRefusedException {
        int most = AdblockCancellations.MAX_CHARS / CHARS;
        RecordingSink sink = new RecordingSink();

        FeedCounts counts = FeedFixtures.read(FEED, cancellations(most) + "||000000.example^\n||kept.example^\n", sink);

        assertEquals(1, counts.entries());
        assertEquals(1, counts.rejects());
        assertEquals(most, counts.comments());
    }

    @Test
    void oneMoreRefusesTheFeedRatherThanListWhatWasTakenBack() {
        int most = AdblockCancellations.MAX_CHARS / CHARS;

        FeedRefusedException refused = assertThrows(
                FeedRefusedException.class,
                () -> FeedFixtures.read(FEED, cancellations(most + 1), new RecordingSink()));

        assertTrue(FeedFixtures.message(refused).contains("$badfilter"), FeedFixtures.message(refused));
    }

    @Test
    void theSameRuleTakenBackAgainAndAgainCountsOnce() throws FeedRefusedException {
        String one = String.format(RULE, 1).repeat(AdblockCancellations.MAX_CHARS / CHARS + 1);

        assertEquals(
                1,
                FeedFixtures.read(FEED, one + "||kept.example^\n", new RecordingSink())
                        .keys());
    }

    private static String cancellations(int count) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < count; i++) {
            out.append(String.format(RULE, i));
        }
        return out.toString();
    }
}
