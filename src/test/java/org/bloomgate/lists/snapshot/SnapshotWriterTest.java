package org.bloomgate.lists.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.bloomgate.core.bloom.FilterSizing;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lookup.store.PartRoot;
import org.bloomgate.lookup.store.StoreWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotWriterTest {
    @TempDir
    Path root;

    @Test
    void publishedSnapshot_isCurrentAndOpens() throws Exception {
        SnapshotManifest manifest = Snapshots.publish(root, "nightly", "bad.example", "evil.test");
        LayerDirectory layer = new LayerDirectory(root, "nightly");
        assertEquals(Optional.of(manifest.generation()), layer.readCurrent());
        assertTrue(manifest.generation().startsWith("20261121T020305Z-"));
        assertEquals(2, manifest.countEntries());
        assertEquals(
                List.of("domain.bloom", "exact/000001.sst", "public_suffix_list.dat"),
                manifest.files().stream().map(ManifestFile::path).sorted().toList());
        try (Snapshot snapshot = new SnapshotReader().open(layer.resolveGeneration(manifest.generation()))) {
            assertEquals(manifest, snapshot.manifest());
            assertTrue(Snapshots.asks(snapshot, "bad.example"));
            assertFalse(Snapshots.asks(snapshot, "good.example"));
            assertEquals(Snapshots.SUFFIXES.sha256(), snapshot.suffixes().sha256());
            assertTrue(Files.isDirectory(snapshot.exactDirectory()));
        }
    }

    @Test
    void manifest_namesRootsOfParts() throws Exception {
        try (SnapshotWriter writer = SnapshotWriter.begin(root, "nightly", Snapshots.NOW)) {
            try (StoreWriter store = StoreWriter.create(writer.exactDirectory(), List.of())) {
                store.finish();
            }
            writer.writeSuffixes(Snapshots.SUFFIXES);
            SnapshotManifest manifest = writer.publish(List.of(), 0);
            Path directory = new LayerDirectory(root, "nightly").resolveGeneration(manifest.generation());
            PartRoot part = PartRoot.read(directory.resolve("exact/exact.00.pages"));
            assertEquals(Map.of("exact/exact.00.pages", part), manifest.parts());
            assertEquals(manifest, new SnapshotReader().readManifest(directory));
        }
    }

    @Test
    void unpublishedSnapshot_isNotVisible() throws Exception {
        SnapshotManifest first = Snapshots.publish(root, "nightly", "bad.example");
        LayerDirectory layer = new LayerDirectory(root, "nightly");
        try (SnapshotWriter writer = SnapshotWriter.begin(root, "nightly", Snapshots.NOW)) {
            Snapshots.write(writer, Snapshots.SUFFIXES, "new.example");
            assertEquals(List.of(first.generation()), layer.listGenerations());
        }
        assertEquals(Optional.of(first.generation()), layer.readCurrent());
        assertEquals(List.of(first.generation()), layer.listGenerations());
        assertEquals(List.of(), leftovers());
    }

    @Test
    void secondWriter_isRejected() throws Exception {
        try (SnapshotWriter writer = SnapshotWriter.begin(root, "nightly", Snapshots.NOW)) {
            LayerBusyException busy =
                    assertThrows(LayerBusyException.class, () -> SnapshotWriter.begin(root, "nightly", Snapshots.NOW));
            assertTrue(String.valueOf(busy.getMessage()).contains("nightly"));
            assertTrue(Files.isDirectory(writer.directory()), "the first one's directory was not swept");
            SnapshotWriter.begin(root, "hourly", Snapshots.NOW).close();
        }
        SnapshotWriter.begin(root, "nightly", Snapshots.NOW).close();
    }

    @Test
    void filesOfKilledWriters_areDeleted() throws Exception {
        Files.createDirectories(root.resolve("nightly/.building-20261121T010000Z-0000/exact"));
        Files.writeString(root.resolve("nightly/.building-20261121T010000Z-0000/exact/x.sst"), "half");
        Files.createDirectories(root.resolve("nightly/.retired-20261101T010000Z-0000"));
        SnapshotWriter.begin(root, "nightly", Snapshots.NOW).close();
        assertEquals(List.of(), leftovers());
    }

    private List<String> leftovers() throws IOException {
        try (Stream<Path> entries = Files.list(root.resolve("nightly"))) {
            return entries.map(entry -> entry.getFileName().toString())
                    .filter(name -> name.startsWith(".building") || name.startsWith(".retired"))
                    .toList();
        }
    }

    @Test
    void generations_sortByAge() throws Exception {
        String first = Snapshots.publish(root, "nightly", "a.example").generation();
        String second = Snapshots.publish(root, "nightly", "b.example").generation();
        assertTrue(second.startsWith("20261121T020306Z-"), second);
        assertEquals(List.of(first, second), new LayerDirectory(root, "nightly").listGenerations());
        try (SnapshotWriter writer = SnapshotWriter.begin(root, "nightly", Instant.EPOCH)) {
            assertTrue(writer.generation().startsWith("20261121T020307Z-"), writer.generation());
        }
    }

    @Test
    void prune_keepsNewestAndCurrent() throws Exception {
        LayerDirectory layer = new LayerDirectory(root, "nightly");
        String first = Snapshots.publish(root, "nightly", "a.example").generation();
        Snapshots.publish(root, "nightly", "b.example");
        String third = Snapshots.publish(root, "nightly", "c.example").generation();
        String fourth = Snapshots.publish(root, "nightly", "d.example").generation();
        try (SnapshotWriter writer = SnapshotWriter.begin(root, "nightly", Snapshots.NOW)) {
            writer.prune(3);
        }
        assertFalse(layer.listGenerations().contains(first));
        assertEquals(3, layer.listGenerations().size());
        String second = layer.listGenerations().getFirst();
        layer.rollback(Optional.of(second), new SnapshotReader(), Optional.empty());
        layer.prune(1, Snapshots.NOW);
        assertEquals(List.of(second, fourth), layer.listGenerations());
        assertFalse(layer.listGenerations().contains(third));
    }

    @Test
    void unfinishedSnapshot_isNotPublished() throws Exception {
        try (SnapshotWriter writer = SnapshotWriter.begin(root, "nightly", Snapshots.NOW)) {
            assertThrows(IllegalStateException.class, () -> writer.publish(List.of(), 0), "no suffix list");
            writer.writeSuffixes(Snapshots.SUFFIXES);
            writer.beginFilter(KeyKind.URL, FilterSizing.of(10, 1e-3), 1);
            assertThrows(IllegalStateException.class, () -> writer.publish(List.of(), 0), "filter not finished");
        }
        assertEquals(Optional.empty(), new LayerDirectory(root, "nightly").readCurrent());
        assertEquals(List.of(), new LayerDirectory(root, "nightly").listGenerations());
    }
}
