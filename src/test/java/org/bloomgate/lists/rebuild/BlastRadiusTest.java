package org.bloomgate.lists.rebuild;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.decision.keyjournal.Deliveries;
import org.bloomgate.lists.fetch.FeedCounts;
import org.bloomgate.lists.layer.BlastReport;
import org.bloomgate.lists.layer.FeedReport;
import org.bloomgate.lists.layer.RebuildOutcome;
import org.bloomgate.lists.layer.RebuildReport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What a rebuild says of mail that its new listings would have stopped, and the gate on it.
class BlastRadiusTest {
    @TempDir
    private Path folder;

    private RebuildRig rig = new RebuildRig(Path.of(""));

    @BeforeEach
    void snapshotThatListsOneHost() throws IOException {
        rig = new RebuildRig(folder);
        rig.feed("list", KeyKind.DOMAIN, "old.example");
        rig.run();
    }

    private void delivered(Duration before, int mails, String host) throws IOException {
        Deliveries.record(rig.mail(), rig.now.minus(before), mails, host);
    }

    private RebuildReport listed(String... hosts) throws IOException {
        rig.content("list", hosts);
        return rig.run();
    }

    @Test
    void nothingIsSaidWhenNoMailIsRecorded() throws Exception {
        assertEquals(Optional.empty(), listed("old.example", "new.example").blast());
    }

    @Test
    void mailWithAKeyListedAnewIsCountedByFeed() throws Exception {
        delivered(Duration.ofHours(2), 3, "new.example");
        delivered(Duration.ofHours(2), 4, "clean.example");
        RebuildReport report = listed("old.example", "new.example");
        BlastReport blast = report.blast().orElseThrow();
        assertEquals(RebuildOutcome.PUBLISHED, report.outcome());
        assertEquals(7, blast.mails());
        assertEquals(3, blast.listed());
        assertEquals("list", blast.feeds().getFirst().feed());
        assertEquals(
                "new.example", blast.feeds().getFirst().examples().getFirst().key());
    }

    @Test
    void mailOfTheDayBeforeYesterdayIsNotCounted() throws Exception {
        delivered(Duration.ofHours(25), 3, "new.example");
        delivered(Duration.ofHours(1), 1, "clean.example");
        BlastReport blast = listed("old.example", "new.example").blast().orElseThrow();
        assertEquals(new BlastReport(1, 0, 0, 0, List.of(), List.of(), 0), blast);
    }

    @Test
    void anotherFeedForAListedKeyIsNoNews() throws Exception {
        delivered(Duration.ofHours(1), 3, "old.example");
        rig.feed("second", KeyKind.DOMAIN, "old.example");
        assertEquals(0, rig.run().blast().orElseThrow().listed());
    }

    /// Mail of the last day and of the days before it.
    private void known(int mails, String host) throws IOException {
        delivered(Duration.ofHours(30), 1, host);
        delivered(Duration.ofHours(1), mails, host);
    }

    private static FeedReport failed(RebuildReport report) {
        assertEquals(RebuildOutcome.PUBLISHED_WITH_FAILED_FEEDS, report.outcome(), report::toString);
        return report.failedFeeds().getFirst();
    }

    @Test
    void entryThatAloneWouldStopKnownMailIsHeldAndTheRestIsTaken() throws Exception {
        known(FeedFaults.FEW_MAILS, "wide.example");
        delivered(Duration.ofHours(1), 10, "clean.example");
        RebuildReport report = listed("old.example", "wide.example", "new.example");
        FeedReport list = failed(report);
        String why = list.failure().orElseThrow();
        assertTrue(why.startsWith("5 of 15 messages"), why);
        assertTrue(why.endsWith("held back: wide.example"), why);
        assertEquals(FeedReport.From.SOURCE, list.from());
        assertEquals(new FeedCounts(3, 2, 0, 0, 0, 1, 2), list.counts());
        assertEquals("wide.example", list.held().getFirst().excerpt());
        assertEquals("list", report.blast().orElseThrow().held().getFirst().feed());
        assertEquals(Set.of(), rig.listedBy("wide.example"));
        assertEquals(Set.of("list"), rig.listedBy("new.example"));
    }

    @Test
    void entryIsHeldBackOfATrustedFeedAsWell() throws Exception {
        rig.feedOption("list", "trusted", true);
        known(FeedFaults.FEW_MAILS, "wide.example");
        failed(listed("old.example", "wide.example"));
        assertEquals(Set.of(), rig.listedBy("wide.example"));
    }

    @Test
    void heldEntryStaysHeldWhenTheLastGoodCopyStandsIn() throws Exception {
        known(FeedFaults.FEW_MAILS, "wide.example");
        listed("old.example", "wide.example", "new.example");
        Files.delete(rig.source("list"));
        FeedReport list = failed(rig.run());
        assertEquals(FeedReport.From.LAST_GOOD_COPY, list.from());
        assertEquals(Set.of(), rig.listedBy("wide.example"));
        assertEquals(Set.of("list"), rig.listedBy("new.example"));
    }

    @Test
    void twoEntriesThatTogetherWouldStopItAreHeld() throws Exception {
        known(3, "one.example");
        known(3, "two.example");
        FeedReport list = failed(listed("old.example", "one.example", "two.example", "new.example"));
        assertEquals(FeedReport.From.SOURCE, list.from());
        assertEquals(1, list.counts().held());
        assertEquals(Set.of("list"), rig.listedBy("new.example"));
    }

    @Test
    void feedWithThreeSuchEntriesIsHeldAtItsLastGoodCopy() throws Exception {
        for (String host : List.of("one.example", "two.example", "three.example")) {
            known(FeedFaults.FEW_MAILS, host);
        }
        rig.feed("other", KeyKind.DOMAIN, "other.example");
        FeedReport list = failed(listed("old.example", "one.example", "two.example", "three.example", "new.example"));
        assertEquals(FeedReport.From.LAST_GOOD_COPY, list.from());
        assertEquals(5, list.refused().orElseThrow().counts().lines());
        assertEquals(Set.of("list"), rig.listedBy("old.example"));
        assertEquals(Set.of(), rig.listedBy("one.example"));
        assertEquals(Set.of(), rig.listedBy("new.example"));
        assertEquals(Set.of("other"), rig.listedBy("other.example"));
    }

    @Test
    void newFeedWithThreeSuchEntriesIsLeftOut() throws Exception {
        for (String host : List.of("one.example", "two.example", "three.example")) {
            known(FeedFaults.FEW_MAILS, host);
        }
        rig.feed("hostile", KeyKind.DOMAIN, "one.example", "two.example", "three.example");
        assertEquals(
                FeedReport.From.NOTHING,
                failed(listed("old.example", "more.example")).from());
        assertEquals(Set.of("list"), rig.listedBy("more.example"));
        assertEquals(Set.of(), rig.listedBy("one.example"));
    }

    @Test
    void everyFeedThatListsTheEntryLosesIt() throws Exception {
        known(FeedFaults.FEW_MAILS, "wide.example");
        rig.feed("second", KeyKind.DOMAIN, "second.example", "wide.example");
        RebuildReport report = listed("old.example", "wide.example");
        assertEquals(2, report.failedFeeds().size());
        assertEquals(Set.of(), rig.listedBy("wide.example"));
        assertEquals(Set.of("second"), rig.listedBy("second.example"));
    }

    @Test
    void outbreakOfKeysThatNobodyMetBeforeIsListed() throws Exception {
        delivered(Duration.ofHours(30), 40, "clean.example");
        delivered(Duration.ofHours(1), 1_000, "outbreak.example");
        RebuildReport report = listed("old.example", "outbreak.example");
        assertEquals(RebuildOutcome.PUBLISHED, report.outcome());
        assertEquals(1_000, report.blast().orElseThrow().listed());
        assertEquals(0, report.blast().orElseThrow().known());
        assertEquals(Set.of("list"), rig.listedBy("outbreak.example"));
    }

    @Test
    void fewMailsNeverCountWhateverTheirShare() throws Exception {
        known(FeedFaults.FEW_MAILS - 1, "new.example");
        assertEquals(
                RebuildOutcome.PUBLISHED, listed("old.example", "new.example").outcome());
    }

    @Test
    void shareAtItsBoundIsPublishedAndBeyondItIsNot() throws Exception {
        rig.feedOption("list", "maxBlastShare", Optional.of(0.5));
        rig.option("maxTotalBlastShare", 1.0);
        known(30, "new.example");
        delivered(Duration.ofHours(1), 30, "clean.example");
        assertEquals(
                RebuildOutcome.PUBLISHED, listed("old.example", "new.example").outcome());
        known(61, "more.example");
        failed(listed("old.example", "new.example", "more.example"));
        assertEquals(Set.of(), rig.listedBy("more.example"));
    }

    @Test
    void sumOfWhichNoFeedIsGuiltyPublishesNothing() throws Exception {
        rig.option("maxBlastShare", 0.5);
        known(SnapshotGates.FEW_MAILS / 2, "one.example");
        known(SnapshotGates.FEW_MAILS / 2, "two.example");
        rig.feed("second", KeyKind.DOMAIN, "two.example");
        RebuildReport report = listed("old.example", "one.example");
        assertEquals(RebuildOutcome.GATE_CLOSED, report.outcome());
        String why = report.closedGate().orElseThrow();
        assertTrue(why.startsWith("20 of 20 messages") && why.contains("by list, second"), why);
        assertEquals(Set.of(), rig.listedBy("one.example"));
    }

    @Test
    void forceOpensItAndTheReportNamesIt() throws Exception {
        known(SnapshotGates.FEW_MAILS, "new.example");
        rig.content("list", "old.example", "new.example");
        RebuildReport report = rig.run(Set.of(), Rebuild.Mode.FORCE);
        assertEquals(RebuildOutcome.PUBLISHED, report.outcome());
        assertTrue(report.forced().getFirst().startsWith("feed list: 20 of 20 messages"), report.forced()::toString);
        assertTrue(report.forced().getLast().contains("more than the share of"), report.forced()::toString);
        assertEquals(Set.of("list"), rig.listedBy("new.example"));
    }

    @Test
    void dryRunTellsWhatWouldBeHeld() throws Exception {
        known(FeedFaults.FEW_MAILS, "wide.example");
        rig.content("list", "old.example", "wide.example");
        RebuildReport report = rig.run(Set.of(), Rebuild.Mode.DRY_RUN);
        assertEquals(RebuildOutcome.DRY_RUN_WITH_FAILED_FEEDS, report.outcome());
        assertEquals("list", report.failedFeeds().getFirst().name());
        assertEquals(List.of(), rig.leftovers());
    }

    /// Writes of the listed name day after day, so many messages of so many client networks to so many recipients.
    private Set<String> listedAfter(int mails, int networks, int recipients) throws IOException {
        delivered(Duration.ofHours(30), 1, "own.example");
        Deliveries.record(rig.mail(), rig.now.minus(Duration.ofHours(1)), mails, networks, recipients, "own.example");
        delivered(Duration.ofHours(1), 100, "clean.example");
        listed("old.example", "own.example");
        return rig.listedBy("own.example");
    }

    /// Numbers of messages, client networks and recipients, of which at least one is below the bound.
    static List<int[]> fewVoters() {
        int few = FeedFaults.FEW_MAILS - 1;
        List<int[]> cases = new ArrayList<>();
        for (int mails : List.of(1, FeedFaults.FEW_MAILS, 200, 3_000)) {
            for (int many : List.of(1, FeedFaults.FEW_MAILS, 200)) {
                for (int voters : List.of(1, few)) {
                    cases.add(new int[] {mails, voters, many});
                    cases.add(new int[] {mails, many, voters});
                }
            }
        }
        return cases;
    }

    @ParameterizedTest
    @MethodSource("fewVoters")
    void oneSender_cannotKeepItsNameOut(int[] sent) throws Exception {
        assertEquals(Set.of("list"), listedAfter(sent[0], sent[1], sent[2]));
    }

    @Test
    void enoughVoters_holdTheEntry() throws Exception {
        assertEquals(Set.of(), listedAfter(FeedFaults.FEW_MAILS, FeedFaults.FEW_MAILS, FeedFaults.FEW_MAILS));
    }

    @Test
    void messagesOfOneClientToOneRecipient_countOnce() throws Exception {
        Deliveries.record(rig.mail(), rig.now.minus(Duration.ofHours(1)), 50, 1, 1, "new.example");
        Deliveries.record(rig.mail(), rig.now.minus(Duration.ofHours(2)), 50, 1, 1, "new.example");
        Deliveries.record(rig.mail(), rig.now.minus(Duration.ofHours(1)), 900, 1, 3, "clean.example");
        BlastReport blast = listed("old.example", "new.example").blast().orElseThrow();
        assertEquals(4, blast.mails());
        assertEquals(1, blast.listed());
    }

    @Test
    void floodOfOneClient_doesNotChooseWhatIsHeld() throws Exception {
        for (String host : List.of("flood1.example", "flood2.example", "flood3.example")) {
            delivered(Duration.ofHours(30), 1, host);
            Deliveries.record(rig.mail(), rig.now.minus(Duration.ofHours(1)), 500, 1, 1, host);
        }
        known(FeedFaults.FEW_MAILS, "wide.example");
        FeedReport list =
                failed(listed("old.example", "flood1.example", "flood2.example", "flood3.example", "wide.example"));
        assertEquals("wide.example", list.held().getFirst().excerpt());
        assertEquals(Set.of("list"), rig.listedBy("flood1.example"));
    }
}
