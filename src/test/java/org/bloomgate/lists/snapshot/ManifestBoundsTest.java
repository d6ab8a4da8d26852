package org.bloomgate.lists.snapshot;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bloomgate.RecordCopy;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ManifestBoundsTest {
    private static final Instant NOW = Snapshots.NOW;
    private static final List<String> NAMES = List.of("name", "category", "cadence", "source", "from");
    private static final List<String> FEED_COUNTS = List.of("lines", "entries", "comments", "rejects", "held", "keys");
    private static final List<String> FILTER_COUNTS = List.of("lines", "inserted", "capacity", "setBits");

    private static SnapshotManifest good = Snapshots.none();

    @BeforeAll
    static void publish(@TempDir Path folder) throws IOException {
        good = Snapshots.publish(folder, "nightly", "bad.example");
    }

    /// @param within what is taken
    /// @param beyond what is not
    record Bound(String name, SnapshotManifest within, SnapshotManifest beyond, String named) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Bound> bounds() {
        return Stream.of(
                        Stream.of(
                                whole("createdAt", NOW.plus(ManifestBounds.CLOCK_SKEW), Duration.ofMillis(1)),
                                whole("createdAt", Instant.parse("2000-01-01T00:00:00Z"), Duration.ofMillis(-1)),
                                whole("createdAt", NOW, Duration.ofDays(365L * 1_000_000)),
                                bound("generation", good, "20261122T020305Z-09af", "20261122T020306Z-09af"),
                                count("proofCount", good),
                                ofFeed("seen", later(Duration.ZERO), later(Duration.ofMillis(1))),
                                ofFile("sizeBytes", ManifestBounds.MAX_FILE_BYTES, ManifestBounds.MAX_FILE_BYTES + 1),
                                ofFile("sizeBytes", 0L, Long.MAX_VALUE),
                                ofFeed(
                                        "exceptions",
                                        exceptions(ManifestFeed.MAX_EXCEPTIONS),
                                        exceptions(ManifestFeed.MAX_EXCEPTIONS + 1)),
                                ofFeed(
                                        "exceptions",
                                        List.of(new Key(KeyKind.NETWORK, "192.0.2.0/24")),
                                        List.of(new Key(KeyKind.NETWORK, "192.0.2.0/33"))),
                                ofFile("sha256", "0".repeat(64), "0".repeat(63) + "\n"),
                                ofFilter("targetRate", Double.MIN_VALUE, 0.0),
                                ofFilter("targetRate", Math.nextDown(1.0), 1.0),
                                ofFilter("targetRate", 0.5, Double.NaN),
                                ofFilter("seed", "0123456789abcdef", "-123456789abcdef")),
                        NAMES.stream()
                                .map(name -> ofFeed(
                                        name,
                                        "n".repeat(ManifestBounds.MAX_NAME),
                                        "n".repeat(ManifestBounds.MAX_NAME + 1))),
                        FEED_COUNTS.stream()
                                .map(name -> ofFeed(name, ManifestBounds.MAX_COUNT, ManifestBounds.MAX_COUNT + 1)),
                        FILTER_COUNTS.stream()
                                .map(name -> ofFilter(name, ManifestBounds.MAX_COUNT, ManifestBounds.MAX_COUNT + 1)),
                        FEED_COUNTS.stream().map(name -> ofFeed(name, 0L, -1L)),
                        FILTER_COUNTS.stream().map(name -> ofFilter(name, 0L, Long.MIN_VALUE)))
                .flatMap(all -> all);
    }

    private static List<Key> exceptions(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new Key(KeyKind.DOMAIN, i + ".example"))
                .toList();
    }

    private static Optional<Instant> later(Duration by) {
        return Optional.of(NOW.plus(ManifestBounds.CLOCK_SKEW).plus(by));
    }

    private static Bound whole(String component, Instant within, Duration by) {
        return bound(component, good, within, within.plus(by));
    }

    private static Bound count(String component, SnapshotManifest of) {
        return bound(component, of, ManifestBounds.MAX_COUNT, ManifestBounds.MAX_COUNT + 1);
    }

    private static Bound bound(String component, SnapshotManifest of, Object within, Object beyond) {
        return new Bound(
                component,
                RecordCopy.with(of, component, within),
                RecordCopy.with(of, component, beyond),
                "manifest.json: ");
    }

    private static Bound ofFeed(String component, Object within, Object beyond) {
        return within("feeds", good.feeds().getFirst(), component, within, beyond);
    }

    private static Bound ofFilter(String component, Object within, Object beyond) {
        return within("filters", good.filters().getFirst(), component, within, beyond);
    }

    private static Bound ofFile(String component, Object within, Object beyond) {
        ManifestFile file = good.files().getFirst();
        List<ManifestFile> rest = good.files().subList(1, good.files().size());
        return new Bound(
                "files." + component,
                RecordCopy.with(good, "files", with(RecordCopy.with(file, component, within), rest)),
                RecordCopy.with(good, "files", with(RecordCopy.with(file, component, beyond), rest)),
                file.path());
    }

    private static <T> List<T> with(T first, List<T> rest) {
        return Stream.concat(Stream.of(first), rest.stream()).toList();
    }

    private static Bound within(String list, Record one, String component, Object within, Object beyond) {
        return new Bound(
                list + "." + component,
                RecordCopy.with(good, list, List.of(RecordCopy.with(one, component, within))),
                RecordCopy.with(good, list, List.of(RecordCopy.with(one, component, beyond))),
                "manifest.json: ");
    }

    @ParameterizedTest
    @MethodSource("bounds")
    void valueAtBound_isAcceptedAndBeyondRejected(Bound bound) {
        assertDoesNotThrow(() -> ManifestBounds.check(bound.within(), NOW));
        assertRefused(bound.beyond(), bound.named());
    }

    /// C0, DEL, C1, line and paragraph separators, a change of direction, half of a pair.
    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r", "\0", "\u007f", "\u0085", "\u2028", "\u2029", "\u202e", "\ud800"})
    void nameWithControlCharacters_isRejected(String broken) {
        for (String component : NAMES) {
            Bound bound = ofFeed(component, "n\u00e4me \u4f8b", "n" + broken + "ame");
            assertDoesNotThrow(() -> ManifestBounds.check(bound.within(), NOW));
            assertRefused(bound.beyond(), component);
        }
    }

    private static void assertRefused(SnapshotManifest manifest, String named) {
        String said =
                String.valueOf(assertThrows(SnapshotRefusedException.class, () -> ManifestBounds.check(manifest, NOW))
                        .getMessage());
        assertTrue(said.contains(named), said);
        assertTrue(said.chars().noneMatch(Character::isISOControl), said);
    }
}
