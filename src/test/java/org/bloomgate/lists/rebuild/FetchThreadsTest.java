package org.bloomgate.lists.rebuild;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.bloomgate.RecordCopy;
import org.bloomgate.core.key.FeedKind;
import org.bloomgate.lists.fetch.Cadence;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedFormat;
import org.bloomgate.lists.layer.Interruption;
import org.bloomgate.lists.layer.RebuildClock;
import org.bloomgate.lists.layer.RebuildProgress;
import org.junit.jupiter.api.Test;

class FetchThreadsTest {
    private final Map<String, Duration> times = new ConcurrentHashMap<>();

    @Test
    void aFeedHasAnEighthOfItsCadence() throws IOException {
        fetch(
                feed("often", Cadence.MINUTES, "http://a.example/1", Duration.ofHours(1)),
                feed("hourly", Cadence.HOURLY, "http://b.example/1", Duration.ofHours(1)),
                feed("short", Cadence.HOURLY, "http://c.example/1", Duration.ofSeconds(3)));
        assertEquals(Duration.ofSeconds(30), times.get("often"));
        assertEquals(Duration.ofSeconds(375), times.get("hourly"));
        assertEquals(Duration.ofSeconds(3), times.get("short"));
    }

    @Test
    void theFeedsOfOneServerHaveTheTimeOfTwo() throws IOException {
        fetch(
                feed("one", Cadence.NIGHTLY, "http://slow.example/1", Duration.ofMillis(300)),
                feed("two", Cadence.NIGHTLY, "http://slow.example/2", Duration.ofMillis(300)),
                feed("three", Cadence.NIGHTLY, "http://slow.example/3", Duration.ofMillis(300)),
                feed("four", Cadence.NIGHTLY, "http://other.example/4", Duration.ofMinutes(10)));
        assertEquals(Duration.ofMillis(300), times.get("one"));
        assertEquals(Duration.ofMinutes(10), times.get("four"));
        assertTrue(times.values().stream().allMatch(Duration::isPositive), times::toString);
    }

    private void fetch(Feed... feeds) throws IOException {
        try (Interruption interruption = Interruption.watch()) {
            RebuildClock clock = new RebuildClock(RebuildProgress.silent(), interruption);
            FetchThreads.fetch(List.of(feeds), this::result, clock);
        }
    }

    private FeedOutcome result(Feed feed, Duration timeout) {
        times.put(feed.name(), timeout);
        return new FeedOutcome(
                feed,
                Optional.empty(),
                Optional.empty(),
                new FeedOutcome.Content.Missing(),
                Optional.empty(),
                Optional.empty(),
                0);
    }

    private static Feed feed(String name, Cadence cadence, String source, Duration timeout) {
        Feed feed = Feed.of(name, FeedKind.DOMAIN, FeedFormat.LINES, source);
        return RecordCopy.with(RecordCopy.with(feed, "cadence", cadence), "timeout", timeout);
    }
}
