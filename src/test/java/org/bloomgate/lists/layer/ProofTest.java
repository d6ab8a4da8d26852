package org.bloomgate.lists.layer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.decision.keyjournal.KeyJournalOptions;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedFormat;
import org.bloomgate.lists.snapshot.LayerDirectory;
import org.bloomgate.lists.snapshot.SnapshotWriter;
import org.bloomgate.lists.sort.ExternalSort;
import org.bloomgate.lists.sort.SortedKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whether the proof sees what it is there for.
class ProofTest {
    private static final Instant NOW = Instant.parse("2026-03-02T02:00:00Z");
    private static final int KEYS = 25_000;

    @TempDir
    private Path folder;

    @Test
    void unchangedSnapshot_isProven() throws Exception {
        try (SnapshotWriter snapshot = written(keys("keys", KEYS, 0))) {
            ProofReport proof = proof(keys("again", KEYS, 0), snapshot, NOW);
            assertEquals(new ProofReport(KEYS, 0, 12_500, 0, Optional.empty()), proof);
            assertTrue(proof.holds());
        }
    }

    @Test
    void missingKey_isCounted() throws Exception {
        try (SnapshotWriter snapshot = written(keys("keys", KEYS, 0))) {
            ProofReport proof = proof(keys("more", KEYS + 4, 0), snapshot, NOW);
            assertEquals(4, proof.filterMisses());
            assertEquals(2, proof.storeMisses());
            assertFalse(proof.holds());
        }
    }

    @Test
    void differentListings_areCounted() throws Exception {
        try (SnapshotWriter snapshot = written(keys("keys", 100, 0))) {
            assertEquals(100, proof(keys("counted", 100, 7), snapshot, NOW).storeMisses());
            assertEquals(
                    100,
                    proof(keys("same", 100, 0), snapshot, NOW.plusSeconds(1)).storeMisses());
        }
    }

    @Test
    void damagedFilter_isRefusal() throws Exception {
        try (SnapshotWriter snapshot = written(keys("keys", 100, 0))) {
            byte[] bytes = Files.readAllBytes(snapshot.resolveFilterFile(KeyKind.DOMAIN));
            bytes[40] ^= 1;
            Files.write(snapshot.resolveFilterFile(KeyKind.DOMAIN), bytes);
            ProofReport proof = proof(keys("again", 100, 0), snapshot, NOW);
            assertTrue(proof.refusal().orElseThrow().contains("checksum"), proof.toString());
            assertFalse(proof.holds());
        }
    }

    private SnapshotWriter written(SortedKeys keys) throws IOException {
        SnapshotWriter snapshot = SnapshotWriter.begin(folder.resolve("snapshots"), "nightly", NOW);
        LayerBuild build = new LayerBuild(
                keys,
                List.of(source(NOW)),
                FilterPlan.byRates(kind -> keys.keys(kind.wireCode())),
                RebuildOptions.defaults(),
                kind -> 42,
                new HashFiles(
                        new PastHashes(new LayerDirectory(folder.resolve("snapshots"), "nightly")),
                        RebuildOptions.defaults()),
                RebuildProgress.silent());
        try (PreviousKeys none = PreviousKeys.none(build.listedFeeds(), new FeedChanges(0))) {
            build.write(
                    snapshot,
                    none,
                    BlastRadius.onMailBefore(Instant.EPOCH, KeyJournalOptions.defaults(Path.of("var")), 0));
        }
        return snapshot;
    }

    private ProofReport proof(SortedKeys keys, SnapshotWriter snapshot, Instant now) {
        KeySource source = source(now);
        return new Proof(keys, new KeyListings(List.of(source), List.of(source.toListedFeed())))
                .test(snapshot, RebuildProgress.silent());
    }

    private SortedKeys keys(String name, int count, long seen) throws IOException {
        ExternalSort sort = new ExternalSort(Files.createDirectories(folder.resolve(name)), 1 << 20);
        for (int i = 0; i < count; i++) {
            byte[] key = "k%06d.example".formatted(i).getBytes(StandardCharsets.US_ASCII);
            sort.add(KeyKind.DOMAIN.wireCode(), key, 0, seen);
        }
        return sort.finish(new BitSet(), done -> {});
    }

    private static KeySource source(Instant seen) {
        return new KeySource(
                0, Feed.of("list", KeyKind.DOMAIN, FeedFormat.LINES, "list.txt"), Match.SUFFIX, seen, false);
    }
}
