package org.bloomgate.lists.rebuild;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bloomgate.core.bloom.FilterFormat;
import org.bloomgate.core.key.FeedKind;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lists.fetch.FeedCounts;
import org.bloomgate.lists.layer.FeedReport;
import org.bloomgate.lists.layer.ProofReport;
import org.bloomgate.lists.layer.RebuildOutcome;
import org.bloomgate.lists.layer.RebuildProgress;
import org.bloomgate.lists.layer.RebuildReport;
import org.bloomgate.lists.layer.RebuildReport.KindReport;
import org.bloomgate.lists.layer.RebuildStage;
import org.bloomgate.lists.snapshot.LayerBusyException;
import org.bloomgate.lookup.tier.Listing;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RebuildTest {
    @TempDir
    private Path folder;

    private RebuildRig rig = new RebuildRig(Path.of(""));

    @BeforeEach
    void newRig() {
        rig = new RebuildRig(folder);
    }

    @Test
    void keyOfTwoFeeds_hasTwoListings() throws Exception {
        rig.feed("one", KeyKind.DOMAIN, "both.example", "only-one.example", "both.example");
        rig.feed("two", KeyKind.DOMAIN, "# a comment", "BOTH.example.", "only-two.example");
        RebuildReport report = rig.run();

        assertEquals(RebuildOutcome.PUBLISHED, report.outcome());
        assertEquals(report.generation(), rig.current());
        assertEquals(3, report.feeds().getFirst().counts().keys());
        assertEquals(3, report.kinds().getFirst().keys());
        assertEquals(Set.of("one", "two"), rig.listedBy("both.example"));
        assertEquals(Set.of("two"), rig.listedBy("only-two.example"));
        assertEquals(Set.of(), rig.listedBy("clean.example"));
        assertEquals(List.of(), rig.leftovers());
    }

    @Test
    void feedOfBothKinds_isOneRowOfSums() throws Exception {
        rig.feed("mixed", KeyKind.DOMAIN, "bad.example", "https://shop.example/login", "# both", "bad.example/page");
        rig.feedOption("mixed", "kind", FeedKind.AUTO).feedOption("mixed", "retention", Duration.ofDays(9));
        RebuildReport first = rig.run();

        assertEquals(1, first.feeds().size());
        assertEquals(
                new FeedCounts(4, 3, 1, 0, 0, 0, 3), first.feeds().getFirst().counts());
        assertEquals(
                List.of(KeyKind.DOMAIN, KeyKind.URL),
                first.kinds().stream().map(KindReport::kind).toList());

        rig.content("mixed", "other.example", "http://third.example/");
        rig.daysPass(1);
        rig.run();
        for (Key key : List.of(
                new Key(KeyKind.DOMAIN, "bad.example"),
                new Key(KeyKind.URL, "shop.example/login"),
                new Key(KeyKind.DOMAIN, "other.example"),
                new Key(KeyKind.URL, "third.example/"))) {
            assertEquals("mixed", rig.listings(key).getFirst().feed(), key.text());
        }
        assertEquals(List.of(), rig.listings(new Key(KeyKind.DOMAIN, "shop.example")));
    }

    @Test
    void everyKind_hasAFilterAndProvenKeys() throws Exception {
        rig.feed(
                "domains",
                KeyKind.DOMAIN,
                IntStream.range(0, 300).mapToObj(i -> "d" + i + ".example").toArray(String[]::new));
        rig.feed("urls", KeyKind.URL, "https://evil.example/login?x=1", "http://evil.example/");
        rig.feed("passwords", KeyKind.PASSWORD, "123456", "password", "#hashtag");
        RebuildReport report = rig.run();

        assertEquals(
                List.of(KeyKind.DOMAIN, KeyKind.URL, KeyKind.PASSWORD),
                report.kinds().stream().map(KindReport::kind).toList());
        assertEquals(
                new ProofReport(305, 0, 305, 0, Optional.empty()),
                report.proof().orElseThrow());
        report.kinds().forEach(kind -> assertTrue(kind.predictedRate() < kind.designRate(), kind.toString()));
        assertFalse(rig.listings(new Key(KeyKind.PASSWORD, "7C4A8D09CA3762AF61E59520943DC26494F8941B"))
                .isEmpty());
    }

    @Test
    void rebuildWithoutKeys_publishesNothing() throws Exception {
        rig.feed("only", KeyKind.DOMAIN, "only.example");
        rig.run();
        Optional<String> before = rig.current();
        rig.content("only", "");
        Files.delete(rig.snapshots.resolve(".feeds").resolve("only@note"));
        RebuildReport report = rig.run();

        assertEquals(RebuildOutcome.GATE_CLOSED, report.outcome());
        assertEquals(Optional.of("no feed gave a key"), report.closedGate());
        assertEquals(before, rig.current());
        assertEquals(Set.of("only"), rig.listedBy("only.example"));
    }

    @Test
    void heldAndRejectedLines_areReportedWithTheirReason() throws Exception {
        rig.feed("list", KeyKind.DOMAIN, "a.example", "popular.example", "b.example", "c.example", "d.example", "/re/");
        FeedReport feed = rig.run().feeds().getFirst();

        assertEquals(1, feed.counts().held());
        assertEquals(2, feed.held().getFirst().line());
        assertEquals("popular.example", feed.held().getFirst().excerpt());
        assertEquals(6, feed.rejects().getFirst().line());
        assertEquals(
                feed.counts().lines(),
                feed.counts().entries()
                        + feed.counts().comments()
                        + feed.counts().rejects()
                        + feed.counts().held());
        assertEquals(Set.of(), rig.listedBy("popular.example"));
    }

    @Test
    void listingSeenAgain_keepsFirstSeen() throws Exception {
        rig.feed("list", KeyKind.DOMAIN, "a.example", "m.example", "z.example");
        rig.run();
        rig.daysPass(3);
        rig.content("list", "b.example", "m.example", "z.example");
        rig.feed("other", KeyKind.DOMAIN, "m.example");
        RebuildReport report = rig.run();

        List<Listing> kept = rig.listings("m.example");
        assertEquals(
                List.of(RebuildRig.MONDAY, rig.now),
                kept.stream().map(Listing::firstSeen).toList());
        assertEquals(
                List.of(rig.now, rig.now), kept.stream().map(Listing::lastSeen).toList());
        assertEquals(rig.now, rig.listings("b.example").getFirst().firstSeen());
        assertEquals(1, report.kinds().getFirst().added());
        assertEquals(1, report.kinds().getFirst().removed());
    }

    @Test
    void dryRun_changesNothingAndReportsTheChanges() throws Exception {
        rig.feed("list", KeyKind.DOMAIN, "a.example", "b.example");
        rig.run();
        Optional<String> before = rig.current();
        List<Path> files = allFiles();
        rig.content("list", "b.example", "c.example", "d.example");
        RebuildReport report = rig.run(Set.of(), Rebuild.Mode.DRY_RUN);

        assertEquals(RebuildOutcome.DRY_RUN, report.outcome());
        assertEquals(2, report.kinds().getFirst().added());
        assertEquals(1, report.kinds().getFirst().removed());
        assertTrue(report.proof().orElseThrow().holds());
        assertEquals(before, rig.current());
        assertEquals(files, allFiles());
        assertEquals(Set.of("list"), rig.listedBy("a.example"));
    }

    @Test
    void sameKeysAndSeed_makeTheSameFilter() throws Exception {
        rig.feed(
                "list",
                KeyKind.DOMAIN,
                IntStream.range(0, 500).mapToObj(i -> "x" + i + ".example").toArray(String[]::new));
        byte[] monday = filterLines(rig.run());
        rig.daysPass(6);
        assertArrayEquals(monday, filterLines(rig.run()));
        rig.daysPass(2);
        byte[] laterSeed = filterLines(rig.run());
        assertEquals(monday.length, laterSeed.length);
        assertFalse(Arrays.equals(monday, laterSeed));
    }

    @ParameterizedTest
    @EnumSource(names = "READ", mode = EnumSource.Mode.EXCLUDE)
    void interruptedRebuild_leavesNothingBehind(RebuildStage stage) throws Exception {
        rig.feed("list", KeyKind.DOMAIN, "a.example");
        rig.shared = Optional.of(new FakeSharedStore(rig));
        rig.run();
        Optional<String> before = rig.current();
        rig.content("list", "b.example");
        rig.progress = new RebuildProgress() {
            @Override
            public void begin(RebuildStage next, String what) {
                if (next == stage) {
                    throw new CancellationException("interrupted");
                }
            }

            @Override
            public void advance(long done, long total) {}
        };
        assertThrows(CancellationException.class, () -> rig.run());
        assertEquals(before, rig.current());
        assertEquals(List.of(), rig.leftovers());
    }

    @Test
    void leftoversOfAKilledRebuild_areRemoved() throws Exception {
        Path killed = Files.createDirectories(rig.snapshots.resolve(".work/nightly/sort/deep"));
        Files.writeString(killed.resolve("run-7"), "half a run");
        Path building = Files.createDirectories(rig.snapshots.resolve("nightly/.building-20260101T000000Z-0000/exact"));
        Files.writeString(building.resolve("000008.sst"), "half a table");
        rig.feed("list", KeyKind.DOMAIN, "a.example");
        rig.run();
        assertEquals(List.of(), rig.leftovers());
    }

    @Test
    void secondRebuildOfALayer_isRejectedWhileTheFirstRuns() throws Exception {
        rig.feed("list", KeyKind.DOMAIN, "a.example");
        try (WorkFolder first =
                WorkFolder.open(rig.snapshots.resolve(".work").resolve("nightly"), Duration.ZERO, () -> {})) {
            Files.writeString(first.folder("sort").resolve("run-0"), "in use");
            LayerBusyException busy = assertThrows(LayerBusyException.class, () -> rig.run());
            assertTrue(String.valueOf(busy.getMessage()).contains("another rebuild"), busy.getMessage());
            assertEquals(1, rig.leftovers().size());
        }
        assertEquals(RebuildOutcome.PUBLISHED, rig.run().outcome());
    }

    @Test
    void damagedPreviousSnapshot_losesFirstSeenOnly() throws Exception {
        rig.feed("list", KeyKind.DOMAIN, "a.example", "b.example");
        rig.damageStore(rig.run().generation().orElseThrow());
        rig.daysPass(1);
        RebuildReport report = rig.run();
        assertEquals(RebuildOutcome.PUBLISHED, report.outcome());
        assertEquals(1, report.warnings().size());
        assertEquals(rig.now, rig.listings("a.example").getFirst().firstSeen());
    }

    @Test
    void damagedPointer_isReplacedByTheNextRebuild() throws Exception {
        rig.feed("list", KeyKind.DOMAIN, "a.example");
        rig.run();
        Files.writeString(rig.layer().path().resolve("current"), "");
        RebuildReport report = rig.run();
        assertEquals(RebuildOutcome.PUBLISHED, report.outcome());
        assertTrue(report.warnings().getFirst().contains("holds no generation id"), report.warnings()::toString);
        assertEquals(Set.of("list"), rig.listedBy("a.example"));
    }

    @Test
    void generationThatCannotBeDeleted_isAWarning() throws Exception {
        rig.feed("list", KeyKind.DOMAIN, "a.example");
        String first = rig.run().generation().orElseThrow();
        for (int day = 1; day < rig.options.keepGenerations(); day++) {
            rig.run();
        }
        rig.progress = new RebuildProgress() {
            @Override
            public void begin(RebuildStage next, String what) {
                if (next == RebuildStage.PUBLISH) {
                    inTheWay(rig.layer().path().resolve(".retired-" + first));
                }
            }

            @Override
            public void advance(long done, long total) {}
        };
        RebuildReport report = rig.run();
        assertEquals(RebuildOutcome.PUBLISHED, report.outcome());
        assertEquals(report.generation(), rig.current());
        assertTrue(report.warnings().getFirst().contains("not deleted"), report.warnings()::toString);
    }

    private static void inTheWay(Path directory) {
        try {
            Files.writeString(Files.createDirectory(directory).resolve("file"), "in the way");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void generationsBeyondTheBound_areDeleted() throws Exception {
        rig.feed("list", KeyKind.DOMAIN, "a.example");
        for (int day = 0; day < 5; day++) {
            rig.run();
            rig.now = rig.now.plus(Duration.ofDays(1));
        }
        assertEquals(
                rig.options.keepGenerations(), rig.layer().listGenerations().size());
    }

    private byte[] filterLines(RebuildReport report) throws IOException {
        Path file =
                rig.layer().resolveGeneration(report.generation().orElseThrow()).resolve("domain.bloom");
        byte[] bytes = Files.readAllBytes(file);
        return Arrays.copyOfRange(bytes, FilterFormat.HEADER_BYTES, bytes.length);
    }

    private List<Path> allFiles() throws IOException {
        try (Stream<Path> files = Files.walk(rig.snapshots)) {
            return files.sorted().toList();
        }
    }
}
