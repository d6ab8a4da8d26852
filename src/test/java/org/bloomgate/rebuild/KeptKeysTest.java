package org.bloomgate.rebuild;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.bloomgate.RecordCopy;
import org.bloomgate.account.FeedReport;
import org.bloomgate.account.RebuildOutcome;
import org.bloomgate.account.RebuildReport;
import org.bloomgate.account.SeedSource;
import org.bloomgate.disk.DurableFiles;
import org.bloomgate.exact.RocksStores;
import org.bloomgate.exact.SortedStore;
import org.bloomgate.exact.StoreDigest;
import org.bloomgate.feed.FeedFormat;
import org.bloomgate.key.KeyKind;
import org.bloomgate.rebuild.KeptNote.OfFeed;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Each rebuild that may take keys from the one before is compared with one that reads everything.
class KeptKeysTest {
    private static final int LINES = 4_500;
    private static final Duration HOUR = Duration.ofHours(1);

    @TempDir
    private Path folder;

    private RebuildRig rig;
    private RebuildRig whole;

    @BeforeEach
    void begin() throws IOException {
        rig = new RebuildRig(Files.createDirectory(folder.resolve("kept")));
        whole = new RebuildRig(Files.createDirectory(folder.resolve("whole")));
        both("domains", KeyKind.DOMAIN, lines(LINES));
        both("senders", KeyKind.ADDRESS, List.of("a@one.example", "b@two.example", "c@three.example"));
    }

    private void both(String feed, KeyKind kind, List<String> lines) throws IOException {
        rig.feed(feed, kind, lines.toArray(String[]::new));
        whole.feed(feed, kind, lines.toArray(String[]::new));
    }

    /// Above the head that is always read again.
    private static List<String> lines(int count) {
        return new ArrayList<>(IntStream.range(0, count)
                .mapToObj("host%06d.example"::formatted)
                .toList());
    }

    private void content(String feed, List<String> lines) throws IOException {
        octets(feed, (String.join("\n", lines) + "\n").getBytes(UTF_8));
    }

    private void octets(String feed, byte[] octets) throws IOException {
        Files.write(rig.source(feed), octets);
        Files.write(whole.source(feed), octets);
    }

    /// Both rebuild, one of them without what was kept, and agree in everything but time.
    private RebuildReport rebuild() throws IOException {
        rig.pass(HOUR);
        whole.now = rig.now;
        rig.seeds = new SeedSource.Given(7);
        whole.seeds = new SeedSource.Given(7);
        if (Files.exists(whole.snapshots)) {
            DurableFiles.deleteTree(whole.snapshots.resolve(".keys"));
        }
        RebuildReport kept = rig.run();
        RebuildReport read = whole.run();
        assertEquals(told(read), told(kept));
        assertEquals(read.outcome(), kept.outcome());
        assertEquals(read.changes(), kept.changes());
        assertEquals(read.kinds(), kept.kinds());
        if (kept.outcome().isPublished()) {
            assertEquals(digest(whole), digest(rig));
            for (String filter : List.of("domain.bloom", "address.bloom")) {
                assertArrayEquals(
                        Files.readAllBytes(whole.snapshot().resolve(filter)),
                        Files.readAllBytes(rig.snapshot().resolve(filter)),
                        filter);
            }
        }
        return kept;
    }

    private static List<String> told(RebuildReport report) {
        return report.feeds().stream().map(KeptKeysTest::told).toList();
    }

    private static String told(FeedReport feed) {
        return feed.name() + " " + feed.from() + " " + feed.counts() + " " + feed.failure() + " " + feed.rejects() + " "
                + feed.held();
    }

    private static List<String> digest(RebuildRig of) throws IOException {
        try (SortedStore store = new RocksStores().open(of.snapshot().resolve("exact"))) {
            return StoreDigest.lines(store);
        }
    }

    private Optional<OfFeed> kept(String feed) throws IOException {
        return KeptNote.read(rig.snapshots.resolve(".keys/nightly.json")).stream()
                .flatMap(note -> note.feeds().stream())
                .filter(of -> of.name().equals(feed))
                .findFirst();
    }

    /// Whether the last rebuild read the feed whole.
    private boolean wasRead(String feed) throws IOException {
        return kept(feed).stream().noneMatch(of -> of.readAt().isBefore(rig.now));
    }

    @Test
    void aFeedOfTheSameOctetsIsNotReadAgain() throws IOException {
        assertEquals(RebuildOutcome.PUBLISHED, rebuild().outcome());
        assertTrue(wasRead("domains"));
        rebuild();
        assertFalse(wasRead("domains"));
        assertFalse(wasRead("senders"));
    }

    @Test
    void ofAFewOtherLinesOnlyTheseAreRead() throws IOException {
        rebuild();
        List<String> lines = lines(LINES);
        lines.set(0, "first.example");
        content("domains", lines);
        rebuild();
        assertFalse(wasRead("domains"));
        lines.set(LINES / 2, "middle.example");
        lines.remove(LINES / 2 + 1);
        lines.add(LINES / 2 + 3, "# a comment");
        content("domains", lines);
        rebuild();
        lines.add("last.example");
        content("domains", lines);
        rebuild();
        lines.removeLast();
        content("domains", lines);
        rebuild();
        assertFalse(wasRead("domains"));
        assertEquals(Set.of("domains"), rig.listedBy("middle.example"));
        assertEquals(Set.of("domains"), rig.listedBy("first.example"));
        assertEquals(Set.of(), rig.listedBy("last.example"));
        assertEquals(Set.of(), rig.listedBy("host000000.example"));
    }

    @Test
    void whatStandsInTwoLinesIsListedUntilBothAreGone() throws IOException {
        List<String> lines = lines(LINES);
        lines.add("HOST000007.example");
        content("domains", lines);
        rebuild();
        lines.removeLast();
        content("domains", lines);
        rebuild();
        assertTrue(wasRead("domains"));
        assertEquals(Set.of("domains"), rig.listedBy("host000007.example"));
        lines.add(100, "Host000009.EXAMPLE.");
        content("domains", lines);
        rebuild();
        assertFalse(wasRead("domains"));
        lines.remove(100);
        content("domains", lines);
        rebuild();
        assertTrue(wasRead("domains"));
        assertEquals(Set.of("domains"), rig.listedBy("host000009.example"));
    }

    @Test
    void whatIsRejectedOrHeldBackIsToldEachTime() throws IOException {
        List<String> lines = lines(LINES);
        rebuild();
        for (String line : List.of("no host at all!", "popular.example")) {
            lines.set(77, line);
            content("domains", lines);
            for (int again = 0; again < 2; again++) {
                FeedReport report = rebuild().feeds().getFirst();
                assertEquals(1, report.counts().rejects() + report.counts().held());
                assertEquals(1, report.rejects().size() + report.held().size());
                assertTrue(kept("domains").isEmpty());
            }
        }
    }

    @Test
    void aPackedFeedIsReadWholeWhenItIsAnother() throws IOException {
        List<String> lines = lines(LINES);
        octets("domains", gzip(lines));
        rebuild();
        rebuild();
        assertFalse(wasRead("domains"));
        lines.add("last.example");
        octets("domains", gzip(lines));
        rebuild();
        assertTrue(wasRead("domains"));
        content("domains", lines);
        rebuild();
        assertTrue(wasRead("domains"));
    }

    private static byte[] gzip(List<String> lines) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(String.join("\n", lines).getBytes(UTF_8));
        }
        return packed.toByteArray();
    }

    @Test
    void aFormatWhoseLinesDependOnOthersIsReadWhole() throws IOException {
        for (RebuildRig of : List.of(rig, whole)) {
            of.feedOption("domains", "format", FeedFormat.ADBLOCK);
        }
        List<String> lines =
                new ArrayList<>(lines(LINES).stream().map("||%s^"::formatted).toList());
        content("domains", lines);
        rebuild();
        lines.add("||host000003.example^$badfilter");
        content("domains", lines);
        rebuild();
        assertTrue(wasRead("domains"));
        assertEquals(Set.of(), rig.listedBy("host000003.example"));
    }

    /// Octets that mean something at the beginning of a text mean nothing within it.
    @Test
    void linesThatBeginAsAPackedFileOrWithAMarkAreReadWhereTheyStand() throws IOException {
        String plain = String.join("\n", lines(LINES)) + "\n";
        byte[] before = plain.getBytes(UTF_8);
        for (byte[] behind : List.of(
                gzip(List.of("unpacked.example")),
                "\uFEFF# no comment here\n".getBytes(UTF_8),
                "\uFEFFmarked.example\n".getBytes(UTF_8))) {
            octets("domains", before);
            rebuild();
            byte[] both = Arrays.copyOf(before, before.length + behind.length);
            System.arraycopy(behind, 0, both, before.length, behind.length);
            octets("domains", both);
            rebuild();
            assertTrue(wasRead("domains"));
            assertEquals(Set.of(), rig.listedBy("unpacked.example"));
            octets("domains", before);
            rebuild();
        }
    }

    @Test
    void aTextWithNothingInItIsNoList() throws IOException {
        List<String> few = lines(100);
        content("domains", few);
        rebuild();
        octets("domains", new byte[0]);
        rig.pass(HOUR);
        RebuildReport report = rig.run(Set.of(), Rebuild.Mode.FORCE);
        assertEquals(FeedReport.From.LAST_GOOD_COPY, report.feeds().getFirst().from());
        assertEquals(Set.of("domains"), rig.listedBy("host000007.example"));
    }

    @Test
    void linesOfMoreKeysThanAreHeldAreReadWhole() throws IOException {
        for (int more = 0; more <= 1; more++) {
            List<String> lines = lines(KeptKeys.MAX_CHANGED_KEYS);
            content("domains", lines);
            rebuild();
            int others = KeptKeys.MAX_CHANGED_KEYS / 2 + more;
            for (int i = 0; i < others; i++) {
                lines.set(lines.size() - others + i, "n%05x.test".formatted(i));
            }
            content("domains", lines);
            rebuild();
            assertEquals(more == 1, wasRead("domains"));
            assertTrue(kept("domains").isPresent());
        }
    }

    @Test
    void aLineOfWhichANameIsHeldBackIsToldEachTime() throws IOException {
        for (RebuildRig of : List.of(rig, whole)) {
            of.feedOption("domains", "format", FeedFormat.HOSTS);
        }
        List<String> lines = new ArrayList<>(
                lines(LINES).stream().map("0.0.0.0 %s"::formatted).toList());
        lines.set(LINES / 2, "0.0.0.0 popular.example other.example");
        content("domains", lines);
        for (int again = 0; again < 3; again++) {
            assertEquals(1, rebuild().feeds().getFirst().held().size());
            lines.add("0.0.0.0 more" + again + ".example");
            content("domains", lines);
        }
    }

    @Test
    void whatCannotBeReadCostsTimeAlone() throws IOException {
        for (String name : List.of("nightly", "nightly.json")) {
            rebuild();
            Path file = rig.snapshots.resolve(".keys").resolve(name);
            Files.delete(file);
            Files.createDirectories(file);
            rebuild();
            assertTrue(wasRead("domains"));
            DurableFiles.deleteTree(file);
        }
    }

    /// A list that cannot be had makes the layer due each time.
    @Test
    void aRebuildThatFindsNothingNewLeavesItForTheNext() throws IOException {
        rebuild();
        Files.delete(rig.source("senders"));
        rig.pass(HOUR);
        assertEquals(RebuildOutcome.PUBLISHED_WITH_FAILED_FEEDS, rig.runDue().outcome());
        for (int again = 0; again < 2; again++) {
            rig.pass(HOUR);
            assertEquals(
                    RebuildOutcome.UNCHANGED_WITH_FAILED_FEEDS, rig.runDue().outcome());
        }
        List<String> lines = lines(LINES);
        lines.set(9, "other.example");
        content("domains", lines);
        rig.pass(HOUR);
        assertEquals(RebuildOutcome.PUBLISHED_WITH_FAILED_FEEDS, rig.runDue().outcome());
        assertFalse(wasRead("domains"));
        assertEquals(Set.of("domains"), rig.listedBy("other.example"));
    }

    @Test
    void aNoteThatWasChangedIsNone() throws IOException {
        rebuild();
        Path file = rig.snapshots.resolve(".keys/nightly.json");
        Files.writeString(file, Files.readString(file).replace("\"number\":1", "\"number\":7"));
        rebuild();
        assertTrue(wasRead("domains") && wasRead("senders"));
    }

    @Test
    void afterTwoDaysEverythingIsReadAgain() throws IOException {
        rebuild();
        rig.pass(KeptNote.MAX_AGE.minus(HOUR).minusSeconds(1));
        rebuild();
        assertFalse(wasRead("domains"));
        rig.pass(Duration.ofSeconds(1).minus(HOUR));
        rebuild();
        assertTrue(wasRead("domains"));
    }

    @Test
    void aFeedThatIsConfiguredInAnotherWayIsRead() throws IOException {
        rebuild();
        for (RebuildRig of : List.of(rig, whole)) {
            of.feedOption("senders", "category", "malware");
        }
        rebuild();
        assertTrue(wasRead("senders"));
        assertFalse(wasRead("domains"));
    }

    @Test
    void feedsInAnotherOrderAreTakenAsFarAsTheyFollow() throws IOException {
        rebuild();
        Collections.swap(rig.feeds, 0, 1);
        Collections.swap(whole.feeds, 0, 1);
        rebuild();
        assertFalse(wasRead("senders"));
        assertTrue(wasRead("domains"));
    }

    @Test
    void aFileThatIsDamagedIsNotUsed() throws IOException {
        rebuild();
        Path file = rig.snapshots.resolve(".keys/nightly");
        byte[] octets = Files.readAllBytes(file);
        octets[octets.length / 2] ^= 1;
        Files.write(file, octets);
        rebuild();
        assertTrue(wasRead("domains"));
        Files.delete(file);
        rebuild();
        assertTrue(wasRead("domains"));
        Files.writeString(rig.snapshots.resolve(".keys/nightly.json"), "{");
        rebuild();
        assertTrue(wasRead("domains"));
    }

    @Test
    void aCopyThatIsDamagedIsNoTextToCompareWith() throws IOException {
        rebuild();
        try (var files = Files.list(rig.snapshots.resolve(".feeds"))) {
            Path copy = files.filter(file -> file.getFileName().toString().startsWith("domains@"))
                    .findFirst()
                    .orElseThrow();
            Files.writeString(copy, Files.readString(copy).replace("host000042.example", "#ost000042.example"));
        }
        List<String> lines = lines(LINES);
        lines.set(42, "other.example");
        content("domains", lines);
        rebuild();
        assertTrue(wasRead("domains"));
        assertEquals(Set.of(), rig.listedBy("host000042.example"));
    }

    /// What a gate stops is not lost for the next, which reads everything.
    @Test
    void aRebuildThatPublishesNothingUsesItUp() throws IOException {
        rebuild();
        List<String> lines = lines(LINES);
        lines.set(5, "canary.example");
        content("domains", lines);
        for (RebuildRig of : List.of(rig, whole)) {
            of.option("bounds", RecordCopy.with(of.options.bounds(), "canaries", List.of("canary.example")));
        }
        RebuildReport first = rebuild();
        RebuildReport second = rebuild();
        assertEquals(told(first), told(second));
    }

    @Test
    void aDryRunLeavesItAlone() throws IOException {
        rebuild();
        rig.pass(HOUR);
        assertEquals(
                RebuildOutcome.DRY_RUN, rig.run(Set.of(), Rebuild.Mode.DRY_RUN).outcome());
        rebuild();
        assertFalse(wasRead("domains"));
    }

    @Test
    void whatIsDueTakesItToo() throws IOException {
        rebuild();
        rig.pass(HOUR);
        List<String> lines = lines(LINES);
        lines.set(9, "other.example");
        content("domains", lines);
        assertEquals(RebuildOutcome.PUBLISHED, rig.runDue().outcome());
        assertFalse(wasRead("domains"));
        assertEquals(Set.of("domains"), rig.listedBy("other.example"));
        assertEquals(Set.of(), rig.listedBy("host000009.example"));
    }

    /// Feeds that change at random, in all ways a list changes.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void anyChangeGivesWhatReadingEverythingGives(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        List<String> domains = lines(3_000 + random.nextInt(3_000));
        Collections.shuffle(domains, new Random(seed));
        List<String> senders =
                new ArrayList<>(domains.stream().map("x@%s"::formatted).toList());
        Duration retention = Duration.ofHours(random.nextInt(2) * 3L);
        for (RebuildRig of : List.of(rig, whole)) {
            of.feedOption("senders", "retention", retention);
        }
        int reused = 0;
        for (int round = 0; round < 8; round++) {
            content("domains", domains);
            String end = random.nextBoolean() ? "\n" : "\r\n";
            octets("senders", ((round % 5 == 4 ? "\uFEFF" : "") + String.join(end, senders)).getBytes(UTF_8));
            rebuild();
            reused += wasRead("domains") ? 0 : 1;
            change(domains, random, "");
            change(senders, random, "x@");
        }
        assertTrue(reused > 0);
    }

    private static void change(List<String> lines, SplittableRandom random, String local) {
        for (int edit = random.nextInt(4); edit > 0; edit--) {
            int at = random.nextInt(lines.size());
            switch (random.nextInt(8)) {
                case 0 -> lines.set(at, local + "new" + random.nextInt(1 << 20) + ".example");
                case 1 -> lines.add(at, local + "new" + random.nextInt(1 << 20) + ".example");
                case 2 -> lines.remove(at);
                case 3 -> lines.add(at, lines.get(random.nextInt(lines.size())).toUpperCase(Locale.ROOT));
                case 4 -> lines.add(at, random.nextBoolean() ? "# a comment" : "");
                case 5 ->
                    lines.subList(at, Math.min(lines.size(), at + random.nextInt(40)))
                            .clear();
                case 6 -> lines.add(local + "last" + random.nextInt(1 << 20) + ".example");
                default -> lines.add(0, local + "first" + random.nextInt(1 << 20) + ".example");
            }
            if (lines.isEmpty()) {
                lines.add(local + "only.example");
            }
        }
    }
}
