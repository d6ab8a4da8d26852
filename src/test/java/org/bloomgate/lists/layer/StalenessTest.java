package org.bloomgate.lists.layer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bloomgate.RecordCopy;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lists.fetch.Cadence;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedFormat;
import org.bloomgate.lists.layer.Staleness.BuiltLayer;
import org.bloomgate.lists.snapshot.ManifestFeed;
import org.bloomgate.lists.snapshot.PastRebuild;
import org.bloomgate.lists.snapshot.Snapshots;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StalenessTest {
    private static final Instant NOW = Instant.parse("2026-03-04T12:00:00Z");

    /// Stated again, as a reader of the documents knows them.
    private static Duration three(Cadence cadence) {
        return switch (cadence) {
            case NIGHTLY -> Duration.ofDays(3);
            case HOURLY -> Duration.ofHours(3);
            case MINUTES -> Duration.ofMinutes(15);
        };
    }

    record Case(Cadence cadence, Duration renewed, Duration seen, Optional<Duration> attempt) {
        Duration bound() {
            return three(cadence);
        }

        boolean isBeyond(Duration age) {
            return age.compareTo(bound()) > 0;
        }
    }

    /// Every cadence with each age at the bound, one second beyond, fresh, and in the future (another clock).
    static Stream<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (Cadence cadence : Cadence.values()) {
            Duration bound = three(cadence);
            List<Duration> ages =
                    List.of(Duration.ZERO, bound, bound.plusSeconds(1), bound.multipliedBy(9), bound.negated());
            for (Duration renewed : ages) {
                for (Duration seen : ages) {
                    cases.add(new Case(cadence, renewed, seen, Optional.empty()));
                    ages.forEach(attempt -> cases.add(new Case(cadence, renewed, seen, Optional.of(attempt))));
                }
            }
        }
        return cases.stream();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void layer_isStaleBeyondThreeCadences(Case one) {
        Optional<String> here = reason(one, List.of(feed("a", one.cadence())));
        boolean isOld = one.isBeyond(one.renewed()) || one.isBeyond(one.seen());
        assertEquals(isOld, here.isPresent(), here::toString);
        assertEquals(isOld, reason(one, List.of()).isPresent(), "on a mirror");
        boolean isAttempted =
                !one.isBeyond(one.renewed()) || one.attempt().stream().anyMatch(age -> !one.isBeyond(age));
        assertEquals(!isAttempted, here.orElse("").contains("no rebuild since"), here::toString);
        assertEquals(one.isBeyond(one.renewed()), here.orElse("").contains("last renewed"), here::toString);
    }

    private static Optional<String> reason(Case one, List<Feed> configured) {
        BuiltLayer layer = new BuiltLayer(
                NOW.minus(one.renewed()), List.of(built("a", "source", Optional.of(NOW.minus(one.seen())))));
        Map<String, String> stale = Staleness.find(Map.of(one.cadence().layer(), layer), configured, last(one), NOW);
        assertTrue(stale.keySet().stream().allMatch(one.cadence().layer()::equals), stale::toString);
        return Optional.ofNullable(stale.get(one.cadence().layer()));
    }

    private static Map<String, PastRebuild> last(Case one) {
        String layer = one.cadence().layer();
        return one.attempt()
                .map(age -> Map.of(layer, PastRebuild.ofFailure(NOW.minus(age), layer, 3, "no space left")))
                .orElse(Map.of());
    }

    @Test
    void configuredFeedThatIsInNoSnapshot_wasNeverBuilt() {
        List<Feed> configured =
                List.of(feed("a", Cadence.HOURLY), feed("b", Cadence.HOURLY), feed("c", Cadence.NIGHTLY));
        Map<String, BuiltLayer> layers = Map.of(
                "hourly",
                new BuiltLayer(
                        NOW,
                        List.of(
                                built("a", "last-good-copy", Optional.of(NOW)),
                                built("b", "nothing", Optional.empty()),
                                built("c", "source", Optional.of(NOW)))));
        assertEquals(
                Map.of(
                        "hourly",
                        "never built: b",
                        "nightly",
                        "never built: c; no rebuild so far: bloomgate-rebuild@nightly.timer or"
                                + " gateway.rebuild starts them"),
                Staleness.find(layers, configured, Map.of(), NOW));
    }

    @Test
    void manyFeeds_areCounted() {
        List<Feed> feeds = IntStream.range(0, 5)
                .mapToObj(i -> feed("f" + i, Cadence.HOURLY))
                .toList();
        assertEquals("never built: f0, f1, f2, f3, f4", unbuilt(feeds));
        List<Feed> more = new ArrayList<>(feeds);
        more.add(feed("f5", Cadence.HOURLY));
        assertEquals("never built: f0, f1, f2, f3, f4 and 1 more", unbuilt(more));
    }

    private static String unbuilt(List<Feed> feeds) {
        PastRebuild last = PastRebuild.ofFailure(NOW, "hourly", 3, "no space left");
        return Staleness.find(Map.of(), feeds, Map.of("hourly", last), NOW).getOrDefault("hourly", "");
    }

    /// Its last feed was removed, or it never had one.
    @Test
    void layerWithoutFeeds_isNotStale() {
        BuiltLayer empty = new BuiltLayer(Instant.EPOCH, List.of());
        assertEquals(Map.of(), Staleness.find(Map.of("hourly", empty), List.of(), Map.of(), NOW));
    }

    private static Feed feed(String name, Cadence cadence) {
        return RecordCopy.with(
                Feed.of(name, KeyKind.DOMAIN, FeedFormat.LINES, "https://lists.example/" + name), "cadence", cadence);
    }

    private static ManifestFeed built(String name, String from, Optional<Instant> seen) {
        ManifestFeed named = RecordCopy.with(Snapshots.feed(1), "name", name);
        return RecordCopy.with(RecordCopy.with(named, "from", from), "seen", seen);
    }
}
