package org.bloomgate.lists.layer;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.bloomgate.base.io.IoText;
import org.bloomgate.lists.snapshot.LayerDirectory;
import org.bloomgate.lists.snapshot.ManifestFeed;
import org.bloomgate.lists.snapshot.SnapshotManifest;
import org.bloomgate.lists.snapshot.SnapshotReader;
import org.bloomgate.lists.snapshot.SnapshotRefusedException;

/// The snapshot of a layer that is current while the next one is built. The new listings are compared with it,
/// and retained listings are read from it. A damaged one does not prevent the next snapshot, which replaces it.
///
/// @param generation empty before the first, and when the pointer is unreadable
/// @param manifest empty if there is none that this build can read
/// @param confirmedAt when a rebuild last found nothing new
/// @param fault why it cannot be read; empty if it can
public record PreviousSnapshot(
        LayerDirectory layer,
        Optional<String> generation,
        Optional<SnapshotManifest> manifest,
        Optional<Instant> confirmedAt,
        Optional<String> fault) {

    public static PreviousSnapshot of(LayerDirectory layer) {
        Optional<String> generation = Optional.empty();
        try {
            generation = layer.readCurrent();
            Optional<SnapshotManifest> manifest = generation.isPresent()
                    ? Optional.of(new SnapshotReader().readManifest(layer.resolveGeneration(generation.get())))
                    : Optional.empty();
            return new PreviousSnapshot(
                    layer, generation, manifest, readConfirmedAt(layer, generation), Optional.empty());
        } catch (IOException e) {
            return new PreviousSnapshot(
                    layer, generation, Optional.empty(), Optional.empty(), Optional.of(IoText.describe(e)));
        }
    }

    /// The confirmation was written by this machine, so its time is not compared with the clock.
    private static Optional<Instant> readConfirmedAt(LayerDirectory layer, Optional<String> generation)
            throws IOException {
        try {
            return generation.isPresent()
                    ? new SnapshotReader().readConfirmedAt(layer, generation.get(), Instant.MAX.minusSeconds(3600))
                    : Optional.empty();
        } catch (SnapshotRefusedException _) {
            return Optional.empty();
        }
    }

    public boolean listsFeeds() {
        return manifest.stream().anyMatch(snapshot -> !snapshot.feeds().isEmpty());
    }

    public static String warning(String fault) {
        return "the previous snapshot is not completely readable: for the unreadable part, times of first sight start again and"
                + " nothing is retained: " + fault;
    }

    /// The directory of the exact store; empty if the manifest cannot be read.
    public Optional<Path> exactDirectory() {
        return manifest.map(snapshot -> layer.resolveExactDirectory(snapshot.generation()));
    }

    /// When the feed was last known to have a listing, in seconds since 1970. If the listing came from the
    /// source of the feed for this snapshot, the confirmation of the snapshot renews it.
    ///
    /// @param seen last sight of the listing in the store
    public long findLastKnown(String feed, long seen) {
        boolean isFromSource = findFeed(feed).stream()
                .anyMatch(feedShare -> feedShare.cameFromSource()
                        && feedShare.seen().stream().anyMatch(at -> at.getEpochSecond() == seen));
        return isFromSource ? confirmedAt.map(Instant::getEpochSecond).orElse(seen) : seen;
    }

    /// The feed in the previous snapshot.
    public Optional<ManifestFeed> findFeed(String name) {
        return manifest.stream()
                .flatMap(snapshot -> snapshot.feeds().stream())
                .filter(feed -> feed.name().equals(name))
                .findFirst();
    }
}
