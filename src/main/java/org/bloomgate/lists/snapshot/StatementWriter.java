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
        return file.publish(this::next);
    }

    private Optional<byte[]> next() throws IOException {
        Optional<PublishedState.Statement> last = last();
        if (!isDue(last)) {
            return Optional.empty();
        }
        file.requireKey(last.map(PublishedState.Statement::signed), key);
        Instant now = clock.instant();
        long counter = file.counterAfter(
                last.map(statement -> statement.publishedState().counter()), now);
        Instant expires = Instant.ofEpochSecond(now.plus(lifetime).getEpochSecond());
        return Optional.of(new PublishedState(counter, expires, current(last)).write(key));
    }

    private boolean isDue(Optional<PublishedState.Statement> last) throws IOException {
        List<PublishedState.Current> current = current(last);
        if (last.isEmpty()) {
            return !current.isEmpty();
        }
        PublishedState published = last.get().publishedState();
        return !published.layers().equals(current)
                || StatementFile.isOld(published.expires(), lifetime, clock.instant())
                || key.filter(own -> !last.get().signed().isBy(own)).isPresent();
    }

    private Optional<PublishedState.Statement> last() throws IOException {
        Optional<byte[]> bytes = PublishedState.bytes(root);
        return bytes.isPresent() ? Optional.of(PublishedState.read(bytes.get())) : Optional.empty();
    }

    /// A layer that cannot be read keeps its published generation: its fault does not affect the others.
    private List<PublishedState.Current> current(Optional<PublishedState.Statement> last) throws IOException {
        Map<String, PublishedState.Current> layers = new TreeMap<>();
        for (LayerDirectory layer : LayerDirectory.in(root)) {
            try {
                Optional<PublishedState.Current> now = current(layer);
                now.ifPresent(one -> layers.put(layer.name(), one));
            } catch (SnapshotRefusedException unreadable) {
                last.stream()
                        .flatMap(statement -> statement.publishedState().layers().stream())
                        .filter(one -> one.layer().equals(layer.name()))
                        .forEach(one -> layers.put(layer.name(), one));
            }
        }
        return new ArrayList<>(layers.values());
    }

    private Optional<PublishedState.Current> current(LayerDirectory layer) throws IOException {
        Optional<String> generation = layer.current();
        if (generation.isEmpty()) {
            return Optional.empty();
        }
        String id = generation.get();
        return Optional.of(new PublishedState.Current(layer.name(), id, digest(layer, id), confirmed(layer, id)));
    }

    private Optional<Instant> confirmed(LayerDirectory layer, String generation) throws IOException {
        try {
            return reader.confirmed(layer, generation, clock.instant());
        } catch (SnapshotRefusedException e) {
            return Optional.empty();
        }
    }

    /// A published directory does not change: its manifest is read once.
    private String digest(LayerDirectory layer, String generation) throws IOException {
        String key = layer.name() + "/" + generation + layer.stamp(generation);
        Optional<String> known = Optional.ofNullable(digests.get(key));
        if (known.isPresent()) {
            return known.get();
        }
        digests.keySet().removeIf(other -> other.startsWith(layer.name() + "/"));
        SnapshotManifest _ = reader.readManifest(layer.generation(generation));
        String digest = Sha256.hex(
                SnapshotReader.manifestBytes(layer.generation(generation).resolve(SnapshotManifest.FILE_NAME)));
        digests.put(key, digest);
        return digest;
    }
}
