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
public final class StatementWriter {
    private final Path root;
    private final StatementFile file;
    private final SnapshotReader reader;
    private final Optional<SigningKey> key;
    private final Duration lifetime;
    private final InstantSource clock;
    private final Map<String, String> digests = new HashMap<>();

    /// @param root of all layers
    /// @param key to sign with; none for a statement without signature
    /// @param lifetime of a statement; the next one follows after at most a quarter of it
    public StatementWriter(Path root, Optional<SigningKey> key, Duration lifetime, InstantSource clock) {
        this.root = root;
        this.file = new StatementFile(root, PublishedState.FILE_NAME);
        this.reader = new SnapshotReader();
        this.key = key;
        this.lifetime = lifetime;
        this.clock = clock;
    }

    /// Makes the next statement if a layer has another current generation or confirmation, a quarter of the
    /// lifetime of the last statement has passed, or it is signed by another key.
    ///
    /// @return whether a statement was made
    /// @throws IOException if the disk fails, or if the present statement cannot be read (a counter that starts
    ///     again would make every mirror refuse it) or is signed and there is no key
    public synchronized boolean publish() throws IOException {
        return file.publish(this::createNext);
    }

    private Optional<byte[]> createNext() throws IOException {
        Optional<PublishedState.Statement> last = readLast();
        if (!isDue(last)) {
            return Optional.empty();
        }
        file.requireKey(last.map(PublishedState.Statement::signedText), key);
        Instant now = clock.instant();
        long counter = file.incrementCounter(
                last.map(statement -> statement.publishedState().counter()), now);
        Instant expires = Instant.ofEpochSecond(now.plus(lifetime).getEpochSecond());
        return Optional.of(new PublishedState(counter, expires, collectCurrent(last)).encode(key));
    }

    private boolean isDue(Optional<PublishedState.Statement> last) throws IOException {
        List<PublishedState.CurrentGeneration> current = collectCurrent(last);
        if (last.isEmpty()) {
            return !current.isEmpty();
        }
        PublishedState lastState = last.get().publishedState();
        return !lastState.layers().equals(current)
                || StatementFile.isOld(lastState.expires(), lifetime, clock.instant())
                || key.filter(signingKey -> !last.get().signedText().isSignedBy(signingKey))
                        .isPresent();
    }

    private Optional<PublishedState.Statement> readLast() throws IOException {
        Optional<byte[]> bytes = PublishedState.readBytes(root);
        return bytes.isPresent() ? Optional.of(PublishedState.parseStatement(bytes.get())) : Optional.empty();
    }

    /// A layer that cannot be read keeps its published generation: its fault does not affect the others.
    private List<PublishedState.CurrentGeneration> collectCurrent(Optional<PublishedState.Statement> last)
            throws IOException {
        Map<String, PublishedState.CurrentGeneration> layers = new TreeMap<>();
        for (LayerDirectory layer : LayerDirectory.listAll(root)) {
            try {
                Optional<PublishedState.CurrentGeneration> current = collectCurrent(layer);
                current.ifPresent(generation -> layers.put(layer.name(), generation));
            } catch (SnapshotRefusedException _) {
                last.stream()
                        .flatMap(statement -> statement.publishedState().layers().stream())
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
