package org.bloomgate.lists.snapshot;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.base.io.IoText;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.lookup.tier.ExactLookup;
import org.bloomgate.lookup.tier.LayerLease;
import org.bloomgate.lookup.tier.LayerSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The current snapshots: adopts the current generation of every layer and swaps one reference when a pointer
/// changes. Transactions keep the set they began with by a lease.
///
/// A snapshot that does not verify is refused and the one before stays, as it does when a pointer or a layer
/// vanishes: a fault must not take protection away. Layers may have been made with different public suffix
/// lists; no layer waits for another, see [LayerSet].
///
/// Pointers are polled: a few small reads work on every file system, where a watch may silently miss a change.
/// Thread-safe; [#lease()] takes no lock.
public final class LiveSnapshots implements LayerSource, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LiveSnapshots.class);
    private static final Duration RETRY_AFTER = Duration.ofMinutes(1);

    private final Path root;
    private final SnapshotReader reader;
    private final ExactOpener opener;
    private final PublicSuffixes bundledSuffixes;
    private final InstantSource clock;
    private final Map<String, String> pinnedGenerations;
    private final ReentrantLock lock = new ReentrantLock();
    private final Conditions conditions;

    /// The refused generation of each layer. Only under `lock`.
    private final Map<String, RefusedGeneration> refused = new HashMap<>();

    /// The bytes of the confirmation of each layer that were read last.
    private final Map<AdoptedLayer, byte[]> confirmations = new HashMap<>();

    private Optional<BackgroundTask> watch = Optional.empty();
    private boolean closed;
    private volatile LayerSet currentSet;

    /// A generation that is not verified again while the outcome would be the same.
    ///
    /// @param stamp of its directory, which changes when the directory is replaced
    /// @param retryAt when it is verified again: never if its bytes are wrong
    private record RefusedGeneration(String generation, String stamp, Instant retryAt) {}

    /// Adopts the current generations.
    ///
    /// @param bundled the public suffix list while there is no snapshot
    public LiveSnapshots(
            Path root, SnapshotReader reader, ExactOpener opener, PublicSuffixes bundled, InstantSource clock) {
        this(root, reader, opener, bundled, clock, Map.of());
    }

    /// @param pinned generation by layer, instead of what its pointer says
    public LiveSnapshots(
            Path root,
            SnapshotReader reader,
            ExactOpener opener,
            PublicSuffixes bundled,
            InstantSource clock,
            Map<String, String> pinned) {
        this.pinnedGenerations = Map.copyOf(pinned);
        this.root = root;
        this.reader = reader;
        this.opener = opener;
        this.bundledSuffixes = bundled;
        this.clock = clock;
        this.conditions = new Conditions("snapshot", clock);
        this.currentSet = new LayerSet(List.of(), bundled);
        checkNow();
    }

    /// Checks the pointers from now on at this interval, on a daemon thread.
    public void watch(Duration interval) {
        lock.lock();
        try {
            if (watch.isPresent() || closed) {
                throw new IllegalStateException("watched already, or closed");
            }
            watch = Optional.of(BackgroundTask.every(interval, "snapshots", this::checkNow));
        } finally {
            lock.unlock();
        }
    }

    /// Checks the pointers once and adopts new generations.
    public void checkNow() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            Instant now = clock.instant();
            Map<String, String> pointers = readPointers(now);
            long began = System.nanoTime();
            Map<String, AdoptedLayer> candidates = openCandidates(pointers, now);
            boolean renewed = confirm(mergeWithCurrent(candidates), now);
            if (!candidates.isEmpty() || renewed) {
                swap(candidates, System.nanoTime() - began);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Generation by layer.
    private Map<String, String> readPointers(Instant now) {
        Map<String, String> pointers = new TreeMap<>();
        try {
            for (LayerDirectory layer : LayerDirectory.listAll(root)) {
                try {
                    findGeneration(layer).ifPresent(generation -> pointers.put(layer.name(), generation));
                } catch (IOException e) {
                    refuse(layer.name(), "", e, now);
                }
            }
        } catch (IOException e) {
            LOG.warn("snapshots: {} cannot be read: {}", root, IoText.of(e));
        }
        return pointers;
    }

    /// The pinned generation of a layer, or else the current one.
    private Optional<String> findGeneration(LayerDirectory layer) throws IOException {
        String generation = pinnedGenerations.get(layer.name());
        return generation == null ? layer.readCurrent() : Optional.of(generation);
    }

    private Map<String, AdoptedLayer> openCandidates(Map<String, String> pointers, Instant now) {
        Map<String, AdoptedLayer> candidates = new LinkedHashMap<>();
        pointers.forEach((layer, generation) -> {
            if (isCurrent(layer, generation)) {
                clearRefusal(layer);
            } else if (!isRefused(layer, generation, now)) {
                try {
                    candidates.put(layer, open(new LayerDirectory(root, layer), generation, now));
                } catch (IOException | RuntimeException e) {
                    refuse(layer, generation, e, now);
                }
            }
        });
        return candidates;
    }

    /// Adopts the confirmations of publishers. One that cannot be trusted changes nothing and is logged once.
    private boolean confirm(Map<String, AdoptedLayer> layers, Instant now) {
        boolean renewed = false;
        for (AdoptedLayer one : layers.values()) {
            LayerDirectory layer = new LayerDirectory(root, one.layer().name());
            try {
                Optional<byte[]> bytes = Confirmation.readBytes(layer.path());
                if (bytes.isPresent() && !Arrays.equals(bytes.get(), confirmations.put(one, bytes.get()))) {
                    renewed |= confirm(
                            one, reader.verifyConfirmation(layer, one.layer().generation(), bytes.get(), now));
                }
            } catch (IOException e) {
                LOG.warn("snapshots: {}: {}", layer.path(), IoText.describe(e));
            }
        }
        confirmations.keySet().retainAll(layers.values());
        return renewed;
    }

    private static boolean confirm(AdoptedLayer layer, Optional<Instant> at) {
        boolean later = at.isPresent()
                && at.get().isAfter(layer.confirmedAt().orElse(layer.manifest().createdAt()));
        if (later) {
            layer.confirm(at.get());
        }
        return later;
    }

    private boolean isCurrent(String layer, String generation) {
        return currentSet.adoptedLayers().stream()
                .map(AdoptedLayer::manifest)
                .anyMatch(one -> one.layer().equals(layer) && one.generation().equals(generation));
    }

    private AdoptedLayer open(LayerDirectory layer, String generation, Instant now) throws IOException {
        Snapshot snapshot = reader.open(layer.resolveGeneration(generation));
        try {
            SnapshotManifest manifest = snapshot.manifest();
            if (!manifest.layer().equals(layer.name()) || !manifest.generation().equals(generation)) {
                throw new SnapshotRefusedException(
                        "manifest.json: is that of " + manifest.layer() + "/" + manifest.generation());
            }
            return new AdoptedLayer(snapshot, openExact(snapshot), now);
        } catch (IOException | RuntimeException e) {
            snapshot.close();
            throw e;
        }
    }

    /// The opened files were verified before and must still be the same.
    private ExactLookup openExact(Snapshot snapshot) throws IOException {
        ExactLookup exact = opener.open(snapshot);
        try {
            snapshot.requireUnchanged();
            return exact;
        } catch (IOException changed) {
            exact.close();
            throw changed;
        }
    }

    private void refuse(String layer, String generation, Exception why, Instant now) {
        if (!isRefused(layer, generation, now)) {
            Instant retryAt = why instanceof SnapshotRefusedException ? Instant.MAX : now.plus(RETRY_AFTER);
            refused.put(layer, new RefusedGeneration(generation, readStamp(layer, generation), retryAt));
            conditions.note(new Condition(layer, layer, generation, IoText.describe(why), now), describeLayers());
        }
    }

    private boolean isRefused(String layer, String generation, Instant now) {
        Optional<RefusedGeneration> last = Optional.ofNullable(refused.get(layer));
        return last.isPresent()
                && last.get().generation().equals(generation)
                && last.get().stamp().equals(readStamp(layer, generation))
                && now.isBefore(last.get().retryAt());
    }

    private void clearRefusal(String layer) {
        refused.remove(layer);
        conditions.clear(layer);
    }

    private String readStamp(String layer, String generation) {
        return generation.isEmpty() ? "" : new LayerDirectory(root, layer).readStamp(generation);
    }

    private Map<String, AdoptedLayer> mergeWithCurrent(Map<String, AdoptedLayer> candidates) {
        Map<String, AdoptedLayer> together = new TreeMap<>();
        currentSet.adoptedLayers().forEach(one -> together.put(one.layer().name(), one));
        together.putAll(candidates);
        return together;
    }

    /// @param openingNanos that verifying and opening the candidates took
    private void swap(Map<String, AdoptedLayer> candidates, long openingNanos) {
        long began = System.nanoTime();
        LayerSet before = currentSet;
        currentSet = new LayerSet(new ArrayList<>(mergeWithCurrent(candidates).values()), bundledSuffixes);
        long swapNanos = System.nanoTime() - began;
        before.retire();
        candidates.keySet().forEach(this::clearRefusal);
        candidates.forEach((layer, one) -> LOG.info(
                "snapshot {}/{} adopted, {} entries, opened in {} ms, swapped in {} us",
                layer,
                one.manifest().generation(),
                one.snapshot().countEntries(),
                openingNanos / 1_000_000,
                swapNanos / 1_000));
    }

    @Override
    public LayerLease lease() {
        Optional<LayerLease> lease = currentSet.lease();
        while (lease.isEmpty()) {
            // Retired between reading the reference and taking the lease: the reference has moved on.
            lease = currentSet.lease();
        }
        return lease.get();
    }

    /// The generations in use and those refused. Never waits for a snapshot that is being verified.
    public LiveStatus readStatus() {
        return new LiveStatus(describeLayers(), conditions.list(), conditions.countNotes());
    }

    private List<LiveStatus.LayerStatus> describeLayers() {
        return currentSet.adoptedLayers().stream()
                .map(LiveSnapshots::describeLayer)
                .toList();
    }

    private static LiveStatus.LayerStatus describeLayer(AdoptedLayer one) {
        SnapshotManifest manifest = one.manifest();
        return new LiveStatus.LayerStatus(
                manifest.layer(),
                manifest.generation(),
                manifest.createdAt(),
                one.adoptedAt(),
                one.confirmedAt(),
                one.snapshot().countEntries(),
                manifest.countBytes(),
                ManifestFeed.confirm(manifest.feeds(), one.confirmedAt()));
    }

    /// Ends the watch and releases all layers; an open lease keeps its layers until it is closed.
    @Override
    public void close() {
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                LayerSet before = currentSet;
                currentSet = new LayerSet(List.of(), bundledSuffixes);
                before.retire();
            }
        } finally {
            lock.unlock();
        }
        watch.ifPresent(BackgroundTask::close);
    }
}
