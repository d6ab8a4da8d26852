package org.bloomgate.lists.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bloomgate.lookup.store.ExactPublisher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LayerDirectoryTest {
    private final SnapshotReader reader = new SnapshotReader();

    @TempDir
    Path root;

    @Test
    void rollback_pointsToPreviousGeneration() throws Exception {
        LayerDirectory layer = new LayerDirectory(root, "nightly");
        String first = Snapshots.publish(root, "nightly", "a.example").generation();
        String second = Snapshots.publish(root, "nightly", "b.example").generation();
        String third = Snapshots.publish(root, "nightly", "c.example").generation();
        assertEquals(second, layer.rollback(Optional.empty(), reader, Optional.empty()));
        assertEquals(first, layer.rollback(Optional.empty(), reader, Optional.empty()));
        assertEquals(third, layer.rollback(Optional.of(third), reader, Optional.empty()));
        assertEquals(Optional.of(third), layer.readCurrent());
    }

    @Test
    void rollback_sharesStoreBeforeItIsCurrent() throws Exception {
        LayerDirectory layer = new LayerDirectory(root, "nightly");
        String first = Snapshots.publish(root, "nightly", "a.example").generation();
        String second = Snapshots.publish(root, "nightly", "b.example").generation();
        Shared shared = new Shared(layer);
        assertThrows(IOException.class, () -> layer.rollback(Optional.empty(), reader, Optional.of(shared)));
        assertEquals(Optional.of(second), layer.readCurrent());
        shared.works = true;
        layer.rollback(Optional.empty(), reader, Optional.of(shared));
        assertEquals(List.of(first + " with " + second + " current"), shared.published);
    }

    private static final class Shared implements ExactPublisher {
        private final LayerDirectory layer;
        private final List<String> published = new ArrayList<>();
        private boolean works;

        Shared(LayerDirectory layer) {
            this.layer = layer;
        }

        @Override
        public void publish(Built built, Progress progress) throws IOException {
            if (!works) {
                throw new IOException("no server");
            }
            published.add(built.generation() + " with " + layer.readCurrent().orElse("none") + " current");
        }

        @Override
        public void retireOthers(String layer, String generation) {
            throw new AssertionError("a rollback retires nothing");
        }
    }

    @Test
    void rollback_withoutEarlierGenerationChangesNothing() throws Exception {
        LayerDirectory layer = new LayerDirectory(root, "nightly");
        assertThrows(SnapshotRefusedException.class, () -> layer.rollback(Optional.empty(), reader, Optional.empty()));
        String only = Snapshots.publish(root, "nightly", "a.example").generation();
        assertThrows(SnapshotRefusedException.class, () -> layer.rollback(Optional.empty(), reader, Optional.empty()));
        assertThrows(
                SnapshotRefusedException.class, () -> layer.rollback(Optional.of("../x"), reader, Optional.empty()));
        assertThrows(
                SnapshotRefusedException.class,
                () -> layer.rollback(Optional.of("20200101T000000Z-0000"), reader, Optional.empty()));
        assertEquals(Optional.of(only), layer.readCurrent());
    }

    @Test
    void rollback_toDamagedGenerationChangesNothing() throws Exception {
        LayerDirectory layer = new LayerDirectory(root, "nightly");
        String first = Snapshots.publish(root, "nightly", "a.example").generation();
        String second = Snapshots.publish(root, "nightly", "b.example").generation();
        Snapshots.flip(layer.resolveGeneration(first).resolve("exact/000001.sst"), 0);
        assertThrows(SnapshotRefusedException.class, () -> layer.rollback(Optional.empty(), reader, Optional.empty()));
        assertEquals(Optional.of(second), layer.readCurrent());
    }

    @Test
    void rollback_duringRebuildIsRejected() throws Exception {
        Snapshots.publish(root, "nightly", "a.example");
        Snapshots.publish(root, "nightly", "b.example");
        try (SnapshotWriter writer = SnapshotWriter.begin(root, "nightly", Snapshots.NOW)) {
            assertTrue(Files.exists(writer.directory()));
            assertThrows(
                    LayerBusyException.class,
                    () -> new LayerDirectory(root, "nightly").rollback(Optional.empty(), reader, Optional.empty()));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "../x", "20261121T020305Z", "20261121T020305Z-09AF", "20261121T020305Z-09af/.."})
    void malformedPointer_isRejected(String content) throws Exception {
        Files.createDirectories(root.resolve("nightly"));
        Files.writeString(root.resolve("nightly/current"), content);
        LayerDirectory layer = new LayerDirectory(root, "nightly");
        assertThrows(SnapshotRefusedException.class, layer::readCurrent);
        assertThrows(IllegalArgumentException.class, () -> layer.resolveGeneration(content));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "..", "a/b", "Nightly", "-x", ".lock"})
    void invalidLayerName_isRejected(String name) {
        assertThrows(IllegalArgumentException.class, () -> new LayerDirectory(root, name));
    }

    @Test
    void layers_areDirectoriesOfRoot() throws Exception {
        assertEquals(List.of(), LayerDirectory.listAll(root.resolve("absent")));
        Files.createDirectories(root.resolve("nightly"));
        Files.createDirectories(root.resolve("hourly"));
        Files.createDirectories(root.resolve(".hidden"));
        Files.writeString(root.resolve("file"), "x");
        assertEquals(
                List.of("hourly", "nightly"),
                LayerDirectory.listAll(root).stream().map(LayerDirectory::name).toList());
    }
}
