package org.bloomgate.lists.snapshot;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.bloomgate.base.io.Sha256;

/// Publishes the current generations: after a rebuild, after a rollback, and again before the statement
/// expires. After a kill at any instant the previous statement remains; the next writer sees that the pointers
/// differ and publishes. Thread-safe, and safe between processes.
public final class PublishedStateWriter {
    private final Path root;
    private final StatementFile<PublishedState> file;
    private final SnapshotReader reader;
    private final InstantSource clock;
    private final Map<String, String> digests = new HashMap<>();

    /// @param root of all layers
    /// @param key to sign with; none for a statement without signature
    /// @param lifetime of a statement; the next one follows after at most a quarter of it
    public PublishedStateWriter(Path root, Optional<SigningKey> key, Duration lifetime, InstantSource clock) {
        this.root = root;
        this.file = new StatementFile<>(root, PublishedState.FORM, key, lifetime, clock);
        this.reader = new SnapshotReader();
        this.clock = clock;
    }

    /// Makes the next statement if one is due; the first one when there is a layer.
    ///
    /// @return whether a statement was made
    /// @throws IOException as of [StatementFile#publish]
    public synchronized boolean publish() throws IOException {
        return file.publish((last, _) -> {
            List<PublishedState.CurrentGeneration> current = collectCurrent(last);
            return last.isEmpty() && current.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new StatementFile.Draft<>(new PublishedState(current), ""));
        });
    }

    /// A layer that cannot be read keeps its published generation: its fault does not affect the others.
    private List<PublishedState.CurrentGeneration> collectCurrent(Optional<Statement<PublishedState>> last)
            throws IOException {
        Map<String, PublishedState.CurrentGeneration> layers = new TreeMap<>();
        for (LayerDirectory layer : LayerDirectory.listAll(root)) {
            try {
                Optional<PublishedState.CurrentGeneration> current = collectCurrent(layer);
                current.ifPresent(generation -> layers.put(layer.name(), generation));
            } catch (SnapshotRefusedException _) {
                last.stream()
                        .flatMap(statement -> statement.content().layers().stream())
                        .filter(generation -> generation.layer().equals(layer.name()))
                        .forEach(generation -> layers.put(layer.name(), generation));
            }
        }
        return new ArrayList<>(layers.values());
    }

    private Optional<PublishedState.CurrentGeneration> collectCurrent(LayerDirectory layer) throws IOException {
        Optional<String> generation = layer.readCurrent();
        if (generation.isEmpty()) {
            return Optional.empty();
        }
        String id = generation.get();
        return Optional.of(new PublishedState.CurrentGeneration(
                layer.name(), id, findManifestDigest(layer, id), readConfirmedAt(layer, id)));
    }

    private Optional<Instant> readConfirmedAt(LayerDirectory layer, String generation) throws IOException {
        try {
            return reader.readConfirmedAt(layer, generation, clock.instant());
        } catch (SnapshotRefusedException e) {
            return Optional.empty();
        }
    }

    /// A published directory does not change: its manifest is read once.
    private String findManifestDigest(LayerDirectory layer, String generation) throws IOException {
        String key = layer.name() + "/" + generation + layer.readStamp(generation);
        Optional<String> knownDigest = Optional.ofNullable(digests.get(key));
        if (knownDigest.isPresent()) {
            return knownDigest.get();
        }
        digests.keySet().removeIf(other -> other.startsWith(layer.name() + "/"));
        SnapshotManifest _ = reader.readManifest(layer.resolveGeneration(generation));
        String digest = Sha256.hex(SnapshotReader.readManifestBytes(
                layer.resolveGeneration(generation).resolve(SnapshotManifest.FILE_NAME)));
        digests.put(key, digest);
        return digest;
    }
}
