package org.bloomgate.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.filter.BloomFilter;
import org.bloomgate.key.KeyKind;
import org.bloomgate.key.PublicSuffixes;
import org.bloomgate.lookup.Layer;
import org.bloomgate.lookup.LayerLease;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LiveSnapshotsTest {
    private static final PublicSuffixes BUNDLED = Snapshots.SUFFIXES;

    private final FakeExact.Opener opener = new FakeExact.Opener();
    private Instant now = Snapshots.NOW.plusSeconds(10);

    @TempDir
    Path root;

    private LiveSnapshots live() {
        return new LiveSnapshots(root, new SnapshotReader(), opener, BUNDLED, () -> now);
    }

    @Test
    void withoutASnapshotThereIsNoLayerAndTheBundledList() {
        try (LiveSnapshots live =
                        new LiveSnapshots(root.resolve("absent"), new SnapshotReader(), opener, BUNDLED, () -> now);
                LayerLease lease = live.lease()) {
            assertEquals(List.of(), lease.layers());
            assertSame(BUNDLED, lease.suffixes());
        }
    }

    @Test
    void theCurrentSnapshotOfEveryLayerIsAdoptedAtStart() throws Exception {
        String nightly = Snapshots.publish(root, "nightly", "bad.example").generation();
        String hourly =
                Snapshots.publish(root, "hourly", "evil.test", "worse.test").generation();
        try (LiveSnapshots live = live();
                LayerLease lease = live.lease()) {
            assertEquals(List.of(hourly, nightly), generations(lease));
            Layer layer = lease.layers().getLast();
            assertEquals(Map.of(KeyKind.DOMAIN, Set.of("phishing")), layer.categories());
            assertTrue(asks(layer, "bad.example"));
            LiveStatus.LayerStatus status = live.status().layers().getFirst();
            assertEquals("hourly", status.layer());
            assertEquals(2, status.entries());
            assertEquals(Duration.ofSeconds(10), status.age());
            assertEquals(now, status.adoptedAt());
            assertTrue(status.sizeBytes() > 4096);
        }
    }

    @Test
    void aNewPointerIsAdoptedAndALeaseKeepsWhatItBeganWith() throws Exception {
        String first = Snapshots.publish(root, "nightly", "bad.example").generation();
        String hourly = Snapshots.publish(root, "hourly", "evil.test").generation();
        try (LiveSnapshots live = live()) {
            LayerLease old = live.lease();
            String second = Snapshots.publish(root, "nightly", "new.example").generation();
            live.checkNow();
            try (LayerLease lease = live.lease()) {
                assertEquals(List.of(hourly, second), generations(lease));
            }
            assertEquals(List.of(hourly, first), generations(old));
            BloomFilter retired = filter(old.layers().getLast());
            assertTrue(retired.mightContain(hash(retired, "bad.example")));
            assertEquals(0, exact(first).closed.get());
            old.close();
            old.close();
            assertEquals(1, exact(first).closed.get());
            assertEquals(0, exact(hourly).closed.get(), "still in force");
            assertThrows(IllegalStateException.class, () -> retired.mightContain(1));
        }
        assertEquals(
                List.of(1, 1, 1),
                opener.opened.stream().map(one -> one.closed.get()).toList());
    }

    @Test
    void aRollbackIsAdoptedToo() throws Exception {
        String first = Snapshots.publish(root, "nightly", "bad.example").generation();
        Snapshots.publish(root, "nightly", "new.example");
        try (LiveSnapshots live = live()) {
            new LayerDirectory(root, "nightly").rollback(Optional.empty(), new SnapshotReader());
            live.checkNow();
            assertEquals(first, live.status().layers().getFirst().generation());
        }
    }

    @Test
    void aDamagedSnapshotIsRefusedOnceAndTheOldOneStays() throws Exception {
        String first = Snapshots.publish(root, "nightly", "bad.example").generation();
        try (LiveSnapshots live = live()) {
            SnapshotManifest second = Snapshots.publish(root, "nightly", "new.example");
            Path file = root.resolve("nightly").resolve(second.generation()).resolve("domain.bloom");
            Snapshots.flip(file, 4100);
            live.checkNow();
            live.checkNow();
            LiveStatus status = live.status();
            assertEquals(first, status.layers().getFirst().generation());
            assertEquals(1, status.refusedTotal());
            Refusal refusal = status.refusals().getFirst();
            assertEquals(second.generation(), refusal.generation());
            assertTrue(refusal.reason().contains("domain.bloom"), refusal.reason());
            assertEquals(now, refusal.at());
            String third = Snapshots.publish(root, "nightly", "newer.example").generation();
            live.checkNow();
            assertEquals(third, live.status().layers().getFirst().generation());
        }
    }

    @Test
    void aPointerToNowhereOrIntoNonsenseKeepsTheOldOne() throws Exception {
        String first = Snapshots.publish(root, "nightly", "bad.example").generation();
        try (LiveSnapshots live = live()) {
            for (String pointer : List.of("20270101T000000Z-0000", "nonsense", "")) {
                Files.writeString(root.resolve("nightly/current"), pointer);
                live.checkNow();
                live.checkNow();
            }
            assertEquals(first, live.status().layers().getFirst().generation());
            assertEquals(2, live.status().refusedTotal(), "nonsense and nothing count as one");
            Files.delete(root.resolve("nightly/current"));
            live.checkNow();
            assertEquals(first, live.status().layers().getFirst().generation());
        }
    }

    @Test
    void aSnapshotOfAnotherLayerOrGenerationIsRefused() throws Exception {
        String nightly = Snapshots.publish(root, "nightly", "bad.example").generation();
        Files.createDirectories(root.resolve("hourly"));
        Files.move(
                root.resolve("nightly").resolve(nightly), root.resolve("hourly").resolve(nightly));
        Files.move(root.resolve("nightly/current"), root.resolve("hourly/current"));
        try (LiveSnapshots live = live()) {
            assertEquals(List.of(), live.status().layers());
            assertTrue(live.status().refusals().getFirst().reason().contains("nightly/" + nightly));
        }
    }

    @Test
    void anExactTierThatDoesNotOpenIsTriedAgainAfterAMinute() throws Exception {
        String generation = Snapshots.publish(root, "nightly", "bad.example").generation();
        opener.failure = "no more files";
        try (LiveSnapshots live = live()) {
            assertEquals("no more files", live.status().refusals().getFirst().reason());
            opener.failure = "";
            now = now.plusSeconds(59);
            live.checkNow();
            assertEquals(List.of(), live.status().layers());
            now = now.plusSeconds(1);
            live.checkNow();
            assertEquals(generation, live.status().layers().getFirst().generation());
        }
    }

    @Test
    void aLayerWithAnotherSuffixListWaitsForTheOthers() throws Exception {
        String nightly = Snapshots.publish(root, "nightly", "bad.example").generation();
        String hourly = Snapshots.publish(root, "hourly", "evil.test").generation();
        try (LiveSnapshots live = live()) {
            String newNightly = Snapshots.publish(root, "nightly", Snapshots.OTHER_SUFFIXES, "bad.example")
                    .generation();
            live.checkNow();
            live.checkNow();
            assertEquals(List.of(hourly, nightly), generations(live));
            assertEquals(1, live.status().refusedTotal());
            assertTrue(live.status().refusals().getFirst().reason().contains("public suffix list"));
            assertEquals(1, exact(newNightly).closed.get());
            String newHourly = Snapshots.publish(root, "hourly", Snapshots.OTHER_SUFFIXES, "evil.test")
                    .generation();
            live.checkNow();
            assertEquals(List.of(newHourly, newNightly), generations(live));
            try (LayerLease lease = live.lease()) {
                assertEquals(Snapshots.OTHER_SUFFIXES.sha256(), lease.suffixes().sha256());
            }
        }
    }

    @Test
    void atStartTheSuffixListOfTheLargestLayerWins() throws Exception {
        Snapshots.publish(root, "hourly", Snapshots.OTHER_SUFFIXES, "evil.test");
        String nightly =
                Snapshots.publish(root, "nightly", "a.example", "b.example").generation();
        try (LiveSnapshots live = live()) {
            assertEquals(List.of(nightly), generations(live));
            assertEquals("hourly", live.status().refusals().getFirst().layer());
        }
    }

    @Test
    void afterTheEndNothingIsInForceButALeaseLives() throws Exception {
        String generation = Snapshots.publish(root, "nightly", "bad.example").generation();
        LiveSnapshots live = live();
        LayerLease lease = live.lease();
        live.close();
        live.close();
        live.checkNow();
        assertEquals(List.of(), live.status().layers());
        assertTrue(asks(lease.layers().getFirst(), "bad.example"));
        lease.close();
        assertEquals(1, exact(generation).closed.get());
        assertThrows(IllegalStateException.class, () -> live.watch(Duration.ofSeconds(1)));
    }

    private FakeExact exact(String generation) {
        return opener.opened.stream()
                .filter(one -> one.directory.toString().contains(generation))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> generations(LiveSnapshots live) {
        try (LayerLease lease = live.lease()) {
            return generations(lease);
        }
    }

    private static List<String> generations(LayerLease lease) {
        return lease.layers().stream().map(Layer::generation).toList();
    }

    private static boolean asks(Layer layer, String domain) {
        BloomFilter filter = filter(layer);
        return filter.mightContain(hash(filter, domain));
    }

    private static BloomFilter filter(Layer layer) {
        return Optional.ofNullable(layer.filters().get(KeyKind.DOMAIN)).orElseThrow();
    }

    private static long hash(BloomFilter filter, String domain) {
        byte[] octets = domain.getBytes(StandardCharsets.UTF_8);
        return filter.hash().hash(octets, 0, octets.length);
    }
}
