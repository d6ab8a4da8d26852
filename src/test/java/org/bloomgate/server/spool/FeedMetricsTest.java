package org.bloomgate.server.spool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.decision.evaluation.DecisionDraft;
import org.bloomgate.lookup.tier.Action;
import org.junit.jupiter.api.Test;

class FeedMetricsTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final FeedMetrics metrics = new FeedMetrics(registry);

    private static DecisionDraft draft(String feed, Map<String, String> would) {
        DecisionDraft draft = mock(DecisionDraft.class);
        when(draft.feed()).thenReturn(feed);
        when(draft.category()).thenReturn(feed.isEmpty() ? "" : "phishing");
        when(draft.enforced()).thenReturn(Optional.of(Action.REJECT));
        when(draft.findShadowActions()).thenReturn(would);
        return draft;
    }

    @Test
    void whatDecidedAndWhatIsOnTrialIsCountedByFeed() {
        metrics.count(draft("a", Map.of("b", "tag")));
        metrics.count(draft("a", Map.of()));
        assertEquals(
                2.0,
                registry.get("bloomgate.feed.messages")
                        .tags("feed", "a", "category", "phishing", "action", "reject")
                        .counter()
                        .count());
        assertEquals(
                1.0,
                registry.get("bloomgate.trial.messages")
                        .tags("feed", "b", "action", "tag")
                        .counter()
                        .count());
    }

    @Test
    void mailThatNobodyListsMakesNoSeries() {
        metrics.count(draft("", Map.of()));
        assertEquals(0, registry.getMeters().size());
    }

    @Test
    void beyondTheBoundNewFeedsAreCountedTogether() {
        for (int i = 0; i < FeedMetrics.MAX_SERIES + 5; i++) {
            metrics.count(draft("feed-" + i, Map.of()));
        }
        metrics.count(draft("feed-0", Map.of()));
        assertEquals(FeedMetrics.MAX_SERIES + 1, registry.getMeters().size());
        assertEquals(
                5.0,
                registry.get("bloomgate.feed.messages")
                        .tags("feed", "other")
                        .counter()
                        .count());
        assertEquals(
                2.0,
                registry.get("bloomgate.feed.messages")
                        .tags("feed", "feed-0")
                        .counter()
                        .count());
    }
}
