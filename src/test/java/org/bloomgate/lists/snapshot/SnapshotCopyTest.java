package org.bloomgate.lists.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotCopyTest {
    private final SnapshotReader reader = new SnapshotReader();
    private final SnapshotReader withoutExact = new SnapshotReader(SnapshotScope.WITHOUT_EXACT, SnapshotKeys.none());

    @TempDir
    Path publisher;

    @TempDir
    Path here;

    @Test
    void completeCopy_becomesCurrent() throws Exception {
        SnapshotManifest manifest = Snapshots.publish(publisher, "nightly", "bad.example");
        LayerDirectory layer = new LayerDirectory(here, "nightly");
        try (SnapshotCopy copy = SnapshotCopy.begin(here, "nightly", manifest.generation())) {
            bring(manifest, copy, SnapshotScope.WHOLE);
            assertEquals(manifest, copy.readManifest(reader));
            assertEquals(Optional.empty(), layer.readCurrent());
            copy.publish(reader);
        }
        assertEquals(Optional.of(manifest.generation()), layer.readCurrent());
        assertEquals(List.of(manifest.generation()), layer.listGenerations());
        reader.open(layer.resolveGeneration(manifest.generation())).close();
    }

    @Test
    void incompleteCopy_staysForNextCopy() throws Exception {
        String first = copied(Snapshots.publish(publisher, "nightly", "bad.example"));
        SnapshotManifest second = Snapshots.publish(publisher, "nightly", "evil.test");
        try (SnapshotCopy copy = SnapshotCopy.begin(here, "nightly", second.generation())) {
            bring(second, copy, SnapshotScope.WITHOUT_EXACT);
            assertThrows(SnapshotRefusedException.class, () -> copy.publish(reader));
        }
        LayerDirectory layer = new LayerDirectory(here, "nightly");
        assertEquals(Optional.of(first), layer.readCurrent());
        assertEquals(List.of(first), layer.listGenerations());
        try (SnapshotCopy again = SnapshotCopy.begin(here, "nightly", second.generation())) {
            assertTrue(Files.exists(again.directory().resolve("domain.bloom")));
        }
    }

    @Test
    void filesOfOtherGeneration_areDeleted() throws Exception {
        Path left;
        try (SnapshotCopy copy = SnapshotCopy.begin(here, "nightly", "20260101T000000Z-0000")) {
            left = Files.writeString(copy.directory().resolve("domain.bloom"), "x");
        }
        SnapshotCopy.begin(here, "nightly", "20260102T000000Z-0000").close();
        assertFalse(Files.exists(left));
        SnapshotWriter.begin(here, "nightly", Snapshots.NOW).close();
        try (var entries = Files.list(here.resolve("nightly"))) {
            assertEquals(
                    List.of(".lock"),
                    entries.map(entry -> entry.getFileName().toString()).toList());
        }
    }

    @Test
    void exactStore_isNotRequiredOutsideScope() throws Exception {
        SnapshotManifest manifest = Snapshots.publish(publisher, "nightly", "bad.example");
        try (SnapshotCopy copy = SnapshotCopy.begin(here, "nightly", manifest.generation())) {
            bring(manifest, copy, SnapshotScope.WITHOUT_EXACT);
            copy.publish(withoutExact);
        }
        Path published = new LayerDirectory(here, "nightly").resolveGeneration(manifest.generation());
        withoutExact.open(published).close();
        assertThrows(SnapshotRefusedException.class, () -> reader.open(published));
        Snapshots.flip(
                publisher.resolve("nightly").resolve(manifest.generation()).resolve("domain.bloom"), 4100);
        assertThrows(
                SnapshotRefusedException.class,
                () -> withoutExact.open(publisher.resolve("nightly").resolve(manifest.generation())));
    }

    @Test
    void copy_replacesDamagedGeneration() throws Exception {
        SnapshotManifest manifest = Snapshots.publish(publisher, "nightly", "bad.example");
        copied(manifest);
        Path published = new LayerDirectory(here, "nightly").resolveGeneration(manifest.generation());
        Snapshots.flip(published.resolve("domain.bloom"), 4100);
        FakeExact.Opener opener = new FakeExact.Opener();
        try (LiveSnapshots live = new LiveSnapshots(here, reader, opener, Snapshots.SUFFIXES, () -> Snapshots.NOW)) {
            assertEquals(1, live.readStatus().refusedTotal());
            live.checkNow();
            assertEquals(1, live.readStatus().refusedTotal(), "not looked at again");
            copied(manifest);
            live.checkNow();
            assertEquals(
                    manifest.generation(), live.readStatus().layers().getFirst().generation());
        }
    }

    @Test
    void manifestOfOtherSnapshot_isRejected() throws Exception {
        SnapshotManifest manifest = Snapshots.publish(publisher, "hourly", "bad.example");
        try (SnapshotCopy copy = SnapshotCopy.begin(here, "nightly", manifest.generation())) {
            bring(manifest, copy, SnapshotScope.WHOLE);
            assertThrows(SnapshotRefusedException.class, () -> copy.readManifest(reader));
            assertThrows(SnapshotRefusedException.class, () -> copy.publish(reader));
        }
    }

    @Test
    void copyAndRebuild_excludeEachOther() throws Exception {
        try (SnapshotCopy _ = SnapshotCopy.begin(here, "nightly", "20260101T000000Z-0000")) {
            assertThrows(LayerBusyException.class, () -> SnapshotCopy.begin(here, "nightly", "20260102T000000Z-0000"));
            assertThrows(LayerBusyException.class, () -> SnapshotWriter.begin(here, "nightly", Snapshots.NOW));
        }
        assertThrows(IllegalArgumentException.class, () -> SnapshotCopy.begin(here, "..", "20260101T000000Z-0000"));
        assertThrows(IllegalArgumentException.class, () -> SnapshotCopy.begin(here, "nightly", "../x"));
    }

    private String copied(SnapshotManifest manifest) throws IOException {
        try (SnapshotCopy copy = SnapshotCopy.begin(here, "nightly", manifest.generation())) {
            bring(manifest, copy, SnapshotScope.WHOLE);
            copy.publish(reader);
        }
        return manifest.generation();
    }

    private void bring(SnapshotManifest manifest, SnapshotCopy copy, SnapshotScope scope) throws IOException {
        Path from = publisher.resolve(manifest.layer()).resolve(manifest.generation());
        Files.copy(from.resolve("manifest.json"), copy.directory().resolve("manifest.json"));
        for (ManifestFile file : manifest.files()) {
            if (scope.covers(file)) {
                Path to = copy.directory().resolve(file.path());
                Files.createDirectories(to.getParent());
                Files.copy(from.resolve(file.path()), to);
            }
        }
    }
}
