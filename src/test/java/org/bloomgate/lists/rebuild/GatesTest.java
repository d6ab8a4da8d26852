package org.bloomgate.lists.rebuild;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.lists.fetch.FeedFormat;
import org.bloomgate.lists.layer.FeedReport;
import org.bloomgate.lists.layer.RebuildOutcome;
import org.bloomgate.lists.layer.RebuildReport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The gates on a feed and on a snapshot, with bounds of all and of one feed, and forced open.
class GatesTest {
    @TempDir
    private Path folder;

    private RebuildRig rig = new RebuildRig(Path.of(""));

    @BeforeEach
    void newRig() {
        rig = new RebuildRig(folder);
    }

    private static String[] names(String prefix, int count) {
        return IntStream.range(0, count).mapToObj(i -> prefix + i + ".example").toArray(String[]::new);
    }

    private static String failure(RebuildReport report) {
        return report.failedFeeds().getFirst().failure().orElseThrow();
    }

    @Test
    void feedThatShrankBeyondItsBoundIsReplacedByItsLastGoodCopy() throws Exception {
        rig.feed("good", KeyKind.DOMAIN, "good.example").feed("list", KeyKind.DOMAIN, names("d", 20));
        rig.run();
        rig.content("list", names("d", 9));
        RebuildReport report = rig.run();
        assertEquals(RebuildOutcome.PUBLISHED_WITH_FAILED_FEEDS, report.outcome());
        assertTrue(failure(report).startsWith("shrank from 20 to 9 keys"), failure(report));
        assertEquals(
                FeedReport.From.LAST_GOOD_COPY, report.failedFeeds().getFirst().from());
        assertEquals(Set.of("list"), rig.listedBy("d19.example"));
        assertEquals(RebuildOutcome.PUBLISHED_WITH_FAILED_FEEDS, rig.run().outcome(), "it stays refused");
    }

    @Test
    void halfOfAFeedMayGo() throws Exception {
        rig.feed("list", KeyKind.DOMAIN, names("d", 20));
        rig.run();
        rig.content("list", names("d", 10));
        assertEquals(RebuildOutcome.PUBLISHED, rig.run().outcome());
    }

    @Test
    void shortListIsCorrectedByHand() throws Exception {
        rig.feed("list", KeyKind.DOMAIN, names("d", FeedGates.FEW));
        rig.run();
        rig.content("list", "d0.example");
        assertEquals(RebuildOutcome.PUBLISHED, rig.run().outcome());
        assertEquals(Set.of(), rig.listedBy("d1.example"));
    }

    @Test
    void boundOfTheFeedGoesBeforeThatOfAll() throws Exception {
        rig.feed("list", KeyKind.DOMAIN, names("d", 20)).feedOption("list", "maxShrinkShare", Optional.of(0.1));
        rig.run();
        rig.content("list", names("d", 15));
        assertTrue(failure(rig.run()).contains("maxShrinkShare 0.1"));
        rig.feedOption("list", "maxShrinkShare", Optional.of(1.0)).content("list", "d0.example");
        assertEquals(RebuildOutcome.PUBLISHED, rig.run().outcome());
    }

    @Test
    void anotherSourceTakesNoNetAway() throws Exception {
        rig.feed("list", KeyKind.DOMAIN, names("d", 20));
        rig.run();
        rig.feed("other", KeyKind.DOMAIN, "x.example");
        rig.feedOption("list", "source", rig.source("other").toString());
        assertTrue(failure(rig.run()).startsWith("shrank from 20 to 1 keys"));
        assertEquals(Set.of("list"), rig.listedBy("d0.example"));
        rig.feedOption("list", "source", rig.source("none").toString());
        assertTrue(failure(rig.run()).startsWith("no file"));
        assertEquals(Set.of("list"), rig.listedBy("d0.example"));
    }

    @Test
    void feedThatGrewBeyondItsBoundIsHeldAndTheOthersArePublished() throws Exception {
        rig.feed("good", KeyKind.DOMAIN, "good.example").feed("list", KeyKind.DOMAIN, names("d", 20));
        rig.run();
        rig.content("list", names("d", 20 + FeedGates.FEW_NEW)).content("good", "good.example", "new.example");
        RebuildReport report = rig.run();
        assertEquals(RebuildOutcome.PUBLISHED_WITH_FAILED_FEEDS, report.outcome());
        assertTrue(failure(report).startsWith("grew from 20 to 120 keys, by more than maxGrowthShare 1.0"));
        assertEquals(Set.of(), rig.listedBy("d20.example"));
        assertEquals(Set.of("list"), rig.listedBy("d19.example"));
        assertEquals(Set.of("good"), rig.listedBy("new.example"));
        rig.feedOption("list", "maxGrowthShare", Optional.of(5.0));
        assertEquals(RebuildOutcome.PUBLISHED, rig.run().outcome());
    }

    @Test
    void fewNewEntriesAreADaysWorkWhateverTheirShare() throws Exception {
        rig.feed("list", KeyKind.DOMAIN, names("d", 20));
        rig.run();
        rig.content("list", names("d", 20 + FeedGates.FEW_NEW - 1));
        assertEquals(RebuildOutcome.PUBLISHED, rig.run().outcome());
    }

    @Test
    void listOfPopularSitesIsNotTaken() throws Exception {
        rig.feed("good", KeyKind.DOMAIN, "good.example");
        String[] popular = Stream.concat(
                        IntStream.range(0, FeedGates.FEW).mapToObj(i -> "popular.example"), Stream.of(names("d", 3)))
                .toArray(String[]::new);
        rig.feed("list", KeyKind.DOMAIN, popular);
        RebuildReport report = rig.run();
        assertTrue(failure(report).contains("5 of 8 entries held back"), failure(report));
        assertEquals(Set.of(), rig.listedBy("d0.example"));
        rig.feedOption("list", "maxHoldShare", Optional.of(0.7));
        assertEquals(RebuildOutcome.PUBLISHED, rig.run().outcome());
    }

    @Test
    void forcePassesBoundsAndTheReportNamesThem() throws Exception {
        rig.feed("list", KeyKind.DOMAIN, names("d", 20));
        rig.run();
        rig.content("list", "d0.example", "/re/", "/re/");
        RebuildReport report = rig.run(Set.of(), Rebuild.Mode.FORCE);
        assertEquals(RebuildOutcome.PUBLISHED, report.outcome());
        assertEquals(2, report.forced().size(), report.forced()::toString);
        assertTrue(report.forced().getFirst().startsWith("feed list: 2 of 3 lines rejected"));
        assertTrue(report.forced().getLast().startsWith("feed list: shrank from 20 to 1"));
        assertEquals(Set.of(), rig.listedBy("d1.example"));
    }

    @ParameterizedTest
    @CsvSource({
        "DOMAIN_SHA1, baea954b95731c68ae6e45bd1e252eb4560cdc45, canary google.com is listed by feed list as baea954b95731c68ae6e45bd1e252eb4560cdc45",
        "ADDRESS_SHA1, 4d1d4b49007628e27f1fb2d8e37b031480ed1484, canary postmaster@gmail.com is listed by feed list",
        "DOMAIN, google.com, canary google.com is listed by feed list as google.com",
        "URL, https://www.google.com/search, canary https://www.google.com/search?q=weather is listed",
        "ADDRESS, postmaster@gmail.com, canary postmaster@gmail.com is listed by feed list",
        "DOMAIN, canary.test, canary https://login.canary.test/x is listed by feed list as canary.test"
    })
    void canaryThatIsListedKeepsTheSnapshotFromBeingPublished(KeyKind kind, String entry, String reason)
            throws Exception {
        rig.option("canaries", List.of("https://login.canary.test/x"));
        rig.feed("list", kind, "x@a.example".substring(kind == KeyKind.ADDRESS ? 0 : 2));
        rig.run();
        Optional<String> before = rig.current();
        rig.content("list", entry).feedOption("list", "trusted", true);
        for (Rebuild.Mode mode : Rebuild.Mode.values()) {
            RebuildReport report = rig.run(Set.of(), mode);
            assertEquals(RebuildOutcome.GATE_CLOSED, report.outcome());
            assertEquals(1, report.outcome().exitStatus());
            assertTrue(report.closedGate().orElseThrow().contains(reason), report.closedGate()::toString);
            assertEquals(before, rig.current());
        }
        assertEquals(List.of(), rig.leftovers());
    }

    @Test
    void listingOfOneHostBesideACanaryIsNone() throws Exception {
        rig.option("canaries", List.of("login.canary.test"));
        rig.feed("list", KeyKind.DOMAIN, "canary.test", "other.canary.test");
        rig.feedOption("list", "match", Match.EXACT);
        assertEquals(RebuildOutcome.PUBLISHED, rig.run().outcome());
    }

    @Test
    void canaryThatMeansNothingIsRefusedWithTheConfiguration() {
        assertThrows(IllegalStateException.class, () -> rig.option("canaries", List.of("no host at all")));
    }

    @Test
    void totalChangeOfWhichNoFeedIsGuiltyPublishesNothing() throws Exception {
        rig.option("maxChangeShare", 0.5);
        rig.feed("one", KeyKind.DOMAIN, names("a", 90)).feed("two", KeyKind.DOMAIN, names("b", 90));
        rig.run();
        Optional<String> before = rig.current();
        rig.content("one", names("a", 180)).content("two", names("b", 180));
        RebuildReport report = rig.run();
        assertEquals(RebuildOutcome.GATE_CLOSED, report.outcome());
        assertTrue(report.closedGate().orElseThrow().startsWith("180 listings added and 0 removed where 180 were"));
        assertEquals(before, rig.current());

        RebuildReport forced = rig.run(Set.of(), Rebuild.Mode.FORCE);
        assertEquals(RebuildOutcome.PUBLISHED, forced.outcome());
        assertEquals(1, forced.forced().size());
    }

    @Test
    void feedGuiltyOfTheTotalChangeIsHeldAndTheOthersArePublished() throws Exception {
        rig.feed("one", KeyKind.DOMAIN, names("a", 200)).feed("two", KeyKind.DOMAIN, names("b", 50));
        rig.option("maxGrowthShare", 9.0);
        rig.run();
        rig.content("one", names("a", 460)).content("two", names("b", 51));
        RebuildReport report = rig.run();
        assertEquals(RebuildOutcome.PUBLISHED_WITH_FAILED_FEEDS, report.outcome());
        assertTrue(failure(report).startsWith("260 listings added and 0 removed where 200 were"), failure(report));
        assertEquals(Set.of(), rig.listedBy("a459.example"));
        assertEquals(Set.of("one"), rig.listedBy("a199.example"));
        assertEquals(Set.of("two"), rig.listedBy("b50.example"));
        assertEquals(List.of(), rig.leftovers());
    }

    @Test
    void feedThatFailedInItsFirstNightIsPublishedWhenItComes() throws Exception {
        rig.feed("one", KeyKind.DOMAIN, names("a", 300)).feed("late", KeyKind.DOMAIN, "late.example");
        Files.delete(rig.source("late"));
        assertEquals(RebuildOutcome.PUBLISHED_WITH_FAILED_FEEDS, rig.run().outcome());
        rig.daysPass(1);
        rig.content("late", names("b", 5_000));
        assertEquals(RebuildOutcome.PUBLISHED, rig.run().outcome());
        assertEquals(Set.of("late"), rig.listedBy("b4999.example"));
    }

    @Test
    void changeOfAFeedThatWasThereCountsBesideOneThatIsNew() throws Exception {
        rig.feed("one", KeyKind.DOMAIN, names("a", 200)).feed("late", KeyKind.DOMAIN, "late.example");
        rig.option("maxGrowthShare", 9.0);
        Files.delete(rig.source("late"));
        rig.run();
        rig.content("late", names("b", 5_000)).content("one", names("a", 460));
        RebuildReport report = rig.run();
        assertEquals(RebuildOutcome.PUBLISHED_WITH_FAILED_FEEDS, report.outcome());
        assertTrue(failure(report).startsWith("260 listings added and 0 removed where 200 were"), failure(report));
        assertEquals(Set.of("late"), rig.listedBy("b4999.example"));
    }

    @Test
    void feedWithoutAKeySaysWhatItHeldInstead() throws Exception {
        rig.feed("good", KeyKind.DOMAIN, "good.example");
        rig.feed("odd", KeyKind.DOMAIN, "# head", "one.example", "two.example", "three.example", "four.example");
        rig.feedOption("odd", "format", FeedFormat.HOSTS);
        assertFailure("holds no key: 5 lines, none fits hosts; line 2: not an address and a name: one.example"
                + "; line 3: not an address and a name: two.example"
                + "; line 4: not an address and a name: three.example;");
        rig.feedOption("odd", "format", FeedFormat.LINES).content("odd", "# nothing", "");
        assertFailure("holds no key: 2 lines, no entry among them;");
        rig.content("odd", "popular.example");
        assertFailure(
                "holds no key: 1 lines, every entry held back; line 1: would list popular.example, which is on the"
                        + " allow list: popular.example; there is no last good copy");
        rig.content("odd", "popular.example", "127.0.0.1");
        assertFailure("holds no key: 2 lines, every entry held back or rejected; line 2: ");
    }

    @Test
    void networkForDocumentationIsHeldBackWithWhatListsIt() throws Exception {
        rig.feed("good", KeyKind.DOMAIN, "good.example").feed("own", KeyKind.NETWORK, "# mine", "192.0.2.66");
        assertFailure("holds no key: 2 lines, every entry held back; line 2: is in 192.0.2.0/24, which is for"
                + " documentation and listed by no feed without 'trusted: true': 192.0.2.66/32; there is no last good"
                + " copy");
        rig.feedOption("own", "trusted", true);
        assertEquals(RebuildOutcome.PUBLISHED, rig.run().outcome());
    }

    private void assertFailure(String beginning) throws Exception {
        String failure = failure(rig.run());
        assertTrue(failure.startsWith(beginning), failure);
    }

    @Test
    void feedThatIsNewInTheConfigurationIsNoChangeOfTheOthers() throws Exception {
        rig.feed("one", KeyKind.DOMAIN, names("a", 150));
        rig.run();
        rig.feed("two", KeyKind.DOMAIN, names("b", 1_000));
        assertEquals(RebuildOutcome.PUBLISHED, rig.run().outcome());
        rig.feeds.removeLast();
        assertEquals(RebuildOutcome.PUBLISHED, rig.run().outcome());
    }

    @Test
    void layerWhoseFeedsAreAllGoneBecomesAnEmptyOneOnce() throws Exception {
        rig.feed("one", KeyKind.DOMAIN, names("a", 150));
        rig.run();
        rig.feeds.clear();
        RebuildReport report = rig.run();
        assertEquals(RebuildOutcome.PUBLISHED, report.outcome());
        assertEquals(150, report.changes().getFirst().removed());
        assertEquals(Set.of(), rig.listedBy("a0.example"));
        assertEquals(RebuildOutcome.GATE_CLOSED, rig.run().outcome(), "there is nothing left to take away");
    }

    @Test
    void fewListingsAreNoChangeWhateverTheirShare() throws Exception {
        rig.feed("one", KeyKind.DOMAIN, names("a", 3));
        rig.run();
        rig.content("one", names("a", 3 + SnapshotGates.FEW - 1));
        assertEquals(RebuildOutcome.PUBLISHED, rig.run().outcome());
    }
}
