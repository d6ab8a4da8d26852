package org.bloomgate.lists.rebuild;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.lists.fetch.FeedCounts;
import org.bloomgate.lists.layer.FeedReport;
import org.bloomgate.lists.layer.RebuildOutcome;
import org.bloomgate.lists.layer.RebuildReport;
import org.bloomgate.lists.layer.SeedSource;
import org.bloomgate.lists.snapshot.SnapshotReader;
import org.bloomgate.lists.sort.RunWriter;
import org.bloomgate.lookup.store.SortedStore;
import org.bloomgate.lookup.store.StoreDigest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Rebuilds from runs beside those that read the feeds.
class RunsTest {
    private static final List<String> FIRST = IntStream.range(0, 3_000)
            .mapToObj(i -> "d" + i * 7 % 5_000 + ".example")
            .toList();
    private static final List<String> SECOND =
            IntStream.range(0, 2_000).mapToObj(i -> "d" + i + ".example").toList();

    @TempDir
    Path folder;

    private RebuildRig rig;
    private Path runs;

    @BeforeEach
    void feeds() throws IOException {
        rig = rig("from-runs");
        runs = Files.createDirectories(folder.resolve("runs"));
    }

    private RebuildRig rig(String name) throws IOException {
        RebuildRig made = new RebuildRig(Files.createDirectories(folder.resolve(name)));
        made.feed("first", KeyKind.DOMAIN, FIRST.toArray(String[]::new));
        made.feed("second", KeyKind.DOMAIN, SECOND.toArray(String[]::new));
        made.seeds = new SeedSource.Given(42);
        return made;
    }

    private static FeedCounts counts(List<String> lines) {
        return new FeedCounts(lines.size(), lines.size(), 0, 0, 0, 0, lines.size());
    }

    private static Runs.OfFeed feed(String name, List<String> lines) {
        return new Runs.OfFeed(name, Optional.empty(), counts(lines), List.of());
    }

    /// Writes keys, in turn, into this many runs, each in order.
    private Runs.Index index(int files) throws IOException {
        TreeMap<byte[], Set<Integer>> sorted = new TreeMap<>(Arrays::compareUnsigned);
        for (int source = 0; source < 2; source++) {
            for (String name : source == 0 ? FIRST : SECOND) {
                sorted.computeIfAbsent(("\u0002" + name).getBytes(UTF_8), _ -> new TreeSet<>())
                        .add(source);
            }
        }
        List<Runs.Run> made = new ArrayList<>();
        for (int file = 0; file < files; file++) {
            Path run = runs.resolve("part-" + file + ".run");
            try (RunWriter writer = new RunWriter(run)) {
                int at = 0;
                for (var key : sorted.entrySet()) {
                    for (int source : at++ % files == file ? key.getValue() : Set.<Integer>of()) {
                        boolean _ = writer.add(key.getKey(), 0, key.getKey().length, source, 0);
                    }
                }
            }
            made.add(new Runs.Run(run.getFileName().toString(), Files.size(run), Sha256.hex(run)));
        }
        return new Runs.Index(
                RebuildRig.MONDAY,
                OptionalLong.of(42),
                Optional.of(Sha256.hex(PublicSuffixes.bundled().bytes())),
                Optional.empty(),
                List.of(new Runs.OfLayer("nightly", List.of(feed("first", FIRST), feed("second", SECOND)), made)));
    }

    private Runs written(Runs.Index index) throws IOException {
        Runs.write(runs, index);
        return Runs.read(runs);
    }

    private static List<String> digest(RebuildRig of) throws IOException {
        try (SortedStore store =
                SortedStore.open(of.layer().resolveExactDirectory(of.current().orElseThrow()))) {
            return StoreDigest.computeLines(store);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void aSnapshotFromRunsIsThatOfTheFeedsByteByByte(int files) throws IOException {
        RebuildRig plain = rig("plain");
        assertEquals(RebuildOutcome.PUBLISHED, plain.run().outcome());
        RebuildReport report = rig.runFrom(written(index(files)));
        assertEquals(RebuildOutcome.PUBLISHED, report.outcome(), report.toString());
        for (String file : List.of("domain.bloom", "domain.hashes")) {
            assertArrayEquals(
                    Files.readAllBytes(plain.snapshot().resolve(file)),
                    Files.readAllBytes(rig.snapshot().resolve(file)),
                    file);
        }
        assertEquals(digest(plain), digest(rig));
        assertEquals(Set.of("first", "second"), rig.listedBy("d7.example"));
    }

    @Test
    void exceptionsThatAnotherEngineFoundAreThoseOfTheFeed() throws IOException {
        Runs.OfFeed first = new Runs.OfFeed("first", Optional.empty(), counts(FIRST), List.of("domain ok.d7.example"));
        Runs.Index index = index(1);
        rig.runFrom(written(with(index, List.of(first, feed("second", SECOND)))));
        assertEquals(
                List.of(new Key(KeyKind.DOMAIN, "ok.d7.example")),
                new SnapshotReader().verify(rig.snapshot()).feeds().getFirst().exceptions());
    }

    @Test
    void anAllowListHoldsBackWhatAnotherEngineLetThrough() throws IOException {
        Path run = runs.resolve("part.run");
        byte[] bad = "\u0002bad.example".getBytes(UTF_8);
        byte[] popular = "\u0002popular.example".getBytes(UTF_8);
        try (RunWriter writer = new RunWriter(run)) {
            assertTrue(writer.add(bad, 0, bad.length, 0, 0));
            assertTrue(writer.add(popular, 0, popular.length, 0, 0));
        }
        Runs.Index index = index(1);
        Runs.Index own = new Runs.Index(
                index.createdAt(),
                index.seed(),
                index.suffixes(),
                Optional.empty(),
                List.of(new Runs.OfLayer(
                        "nightly",
                        index.layers().getFirst().feeds(),
                        List.of(new Runs.Run("part.run", Files.size(run), Sha256.hex(run))))));
        RebuildReport report = rig.runFrom(written(own));
        assertEquals(List.of("allow lists hold back 1 entries of the runs"), report.warnings());
        assertEquals(Set.of("first"), rig.listedBy("bad.example"));
        assertEquals(List.of(), rig.listings(new Key(KeyKind.DOMAIN, "popular.example")));
    }

    @Test
    void aFeedThatShrankTooMuchIsReplacedByItsLastGoodCopy() throws IOException {
        rig.run();
        Runs.Index index = index(1);
        Runs.Index shrunk = with(
                index,
                List.of(
                        feed("first", FIRST),
                        new Runs.OfFeed("second", Optional.empty(), counts(SECOND.subList(0, 9)), List.of())));
        RebuildReport report = rig.runFrom(written(shrunk));
        assertEquals(RebuildOutcome.PUBLISHED_WITH_FAILED_FEEDS, report.outcome());
        assertEquals(
                List.of("second"),
                report.failedFeeds().stream().map(FeedReport::name).toList());
        assertEquals(Set.of("first", "second"), rig.listedBy("d7.example"));
    }

    private static Runs.Index with(Runs.Index index, List<Runs.OfFeed> feeds) {
        return new Runs.Index(
                index.createdAt(),
                index.seed(),
                index.suffixes(),
                index.allowed(),
                List.of(new Runs.OfLayer(
                        "nightly", feeds, index.layers().getFirst().runs())));
    }

    @Test
    void runsOfOtherFeedsOrSettingsAreRefused() throws IOException {
        Runs.Index index = index(1);
        List<Runs.OfFeed> feeds = index.layers().getFirst().feeds();
        assertRefused(with(index, feeds.reversed()), "made from the feeds [second, first]");
        assertRefused(with(index, feeds.subList(0, 1)), "made from the feeds [first]");
        assertRefused(
                with(
                        index,
                        List.of(
                                feeds.getFirst(),
                                new Runs.OfFeed("second", Optional.of("0"), counts(SECOND), List.of()))),
                "feed second has changed since");
        assertRefused(
                new Runs.Index(index.createdAt(), index.seed(), Optional.of("0"), Optional.empty(), index.layers()),
                "the public suffix list has changed since");
        assertRefused(
                new Runs.Index(index.createdAt(), index.seed(), Optional.empty(), Optional.of("0"), index.layers()),
                "the set of allow lists has changed since");
        assertRefused(
                new Runs.Index(index.createdAt(), index.seed(), Optional.empty(), Optional.empty(), List.of()),
                "no layer nightly");
    }

    @Test
    void exceptionWithoutKind_isRefused() throws IOException {
        Runs.OfFeed odd = new Runs.OfFeed("first", Optional.empty(), counts(FIRST), List.of("ok.d7.example"));
        assertRefused(with(index(1), List.of(odd, feed("second", SECOND))), "exception");
    }

    private void assertRefused(Runs.Index index, String why) throws IOException {
        Runs made = written(index);
        RunsRefusedException refused = assertThrows(RunsRefusedException.class, () -> rig.runFrom(made));
        assertTrue(String.valueOf(refused.getMessage()).contains(why), refused::getMessage);
        assertEquals(Optional.empty(), rig.current());
    }

    /// Damages the bytes of a run.
    ///
    /// @param indexed whether `runs.json` is written after the damage, with the new size and digest
    private void assertDamageNamed(UnaryOperator<byte[]> damage, boolean indexed, String why) throws IOException {
        Runs.Index index = index(2);
        Path run = runs.resolve("part-1.run");
        Files.write(run, damage.apply(Files.readAllBytes(run)));
        Runs.OfLayer layer = index.layers().getFirst();
        Runs.Run known = new Runs.Run("part-1.run", Files.size(run), Sha256.hex(run));
        Runs.Index written = indexed
                ? new Runs.Index(
                        index.createdAt(),
                        index.seed(),
                        Optional.empty(),
                        Optional.empty(),
                        List.of(new Runs.OfLayer(
                                "nightly", layer.feeds(), List.of(layer.runs().getFirst(), known))))
                : index;
        assertRefused(written, "part-1.run: " + why);
    }

    @Test
    void damagedRun_isNamedAndNothingIsPublished() throws IOException {
        assertDamageNamed(bytes -> Arrays.copyOf(bytes, bytes.length - 1), false, "damaged: has ");
        assertDamageNamed(bytes -> Arrays.copyOf(bytes, bytes.length - 1), true, "damaged: a run of the sort is cut");
        assertDamageNamed(RunsTest::flipped, false, "damaged: ");
        assertDamageNamed(bytes -> "\u0000\u0000\u0000".getBytes(UTF_8), true, "damaged: a run begins without a key");
        assertDamageNamed(
                bytes -> number(16_385), true, "damaged: a run has the number 16385 where the limit is 16384");
        assertDamageNamed(
                bytes -> record("\u0002a", 65_536),
                true,
                "damaged: a run has the number 65536 where the limit is 65535");
        assertDamageNamed(bytes -> filled(20), true, "damaged: a run has a number without an end");
        assertDamageNamed(bytes -> record("\u0002a", 2), true, "a key that its feed cannot contain");
        assertDamageNamed(bytes -> record("\u0001a@b.example", 0), true, "a key that its feed cannot contain");
        assertDamageNamed(bytes -> record("ca", 0), true, "a key that its feed cannot contain");
        assertDamageNamed(
                bytes -> joined(record("\u0002b", 0), record("\u0002a", 0)),
                true,
                "damaged: its keys are not in order");
        assertDamageNamed(
                bytes -> joined(record("\u0002b", 1), record("\u0002b", 0)),
                true,
                "damaged: its keys are not in order");
    }

    /// The last byte, of the count, so that the records are still in order.
    private static byte[] flipped(byte[] bytes) {
        byte[] other = bytes.clone();
        other[other.length - 1] ^= 1;
        return other;
    }

    private static byte[] filled(int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) 0xff);
        return bytes;
    }

    private static byte[] number(int number) {
        int[] groups = IntStream.iterate(number, rest -> rest > 0, rest -> rest >>> 7)
                .map(rest -> rest > 0x7f ? (rest & 0x7f) | 0x80 : rest)
                .toArray();
        byte[] bytes = new byte[Math.max(1, groups.length)];
        for (int i = 0; i < groups.length; i++) {
            bytes[i] = (byte) groups[i];
        }
        return bytes;
    }

    private static byte[] record(String key, int source) {
        return joined(number(key.length()), key.getBytes(UTF_8), number(source), number(0));
    }

    private static byte[] joined(byte[]... parts) {
        byte[] all = new byte[Stream.of(parts).mapToInt(part -> part.length).sum()];
        int at = 0;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, all, at, part.length);
            at += part.length;
        }
        return all;
    }

    @Test
    void aRunThatIsMissingIsNamed() throws IOException {
        Runs.Index index = index(2);
        Files.delete(runs.resolve("part-1.run"));
        assertRefused(index, "part-1.run: no such file");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "{}",
                "{\"formatVersion\":2,\"canonicalForm\":2,\"createdAt\":\"2026-03-02T02:00:00Z\",\"layers\":[]}",
                "{\"formatVersion\":1,\"canonicalForm\":1,\"createdAt\":\"2026-03-02T02:00:00Z\",\"layers\":[]}",
                "{\"formatVersion\":1,\"canonicalForm\":2,\"createdAt\":\"yesterday\",\"layers\":[]}",
                "{\"formatVersion\":1,\"canonicalForm\":2,\"createdAt\":\"2026-03-02T02:00:00Z\",\"layers\":[],\"x\":1}",
                "{\"formatVersion\":1,\"canonicalForm\":2,\"createdAt\":\"2026-03-02T02:00:00Z\",\"layers\":"
                        + "[{\"layer\":\"nightly\",\"feeds\":[],\"runs\":[{\"file\":\"../x\",\"bytes\":1,\"sha256\":\"\"}]}]}"
            })
    void anIndexThatMakesNoSenseIsRefused(String json) throws IOException {
        Files.writeString(runs.resolve("runs.json"), json);
        assertThrows(RunsRefusedException.class, () -> Runs.read(runs));
    }

    @Test
    void withoutAnIndexThereAreNoRuns() throws IOException {
        Runs _ = written(index(1));
        Runs.deleteIndex(runs);
        RunsRefusedException refused = assertThrows(RunsRefusedException.class, () -> Runs.read(runs));
        assertTrue(String.valueOf(refused.getMessage()).contains("is missing"), refused::getMessage);
    }

    @Test
    void anIndexOfAsManyBytesAsAllowedIsReadAndOneMoreIsNot() throws IOException {
        Runs _ = written(index(1));
        Path file = runs.resolve("runs.json");
        String json = Files.readString(file);
        Files.writeString(file, json + " ".repeat((8 << 20) - json.length()));
        assertEquals(1, Runs.read(runs).index().layers().size());
        Files.writeString(file, json + " ".repeat((8 << 20) + 1 - json.length()));
        assertThrows(RunsRefusedException.class, () -> Runs.read(runs));
    }
}
