package org.bloomgate.lists.build;

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

/// The snapshot of a layer that is current while the next one is made: what it listed is compared with, and
/// what retention keeps is taken from it. One that cannot be read keeps no snapshot from being published that
/// repairs it.
///
/// @param generation empty before the first, and when the pointer is unreadable
/// @param manifest empty if there is none that this build can read
/// @param confirmedAt when a rebuild last found nothing new
/// @param fault why it cannot be read
public record PreviousSnapshot(
        LayerDirectory layer,
        Optional<String> generation,
        Optional<SnapshotManifest> manifest,
        Optional<Instant> confirmedAt,
        Optional<String> fault) {

    public static PreviousSnapshot of(LayerDirectory layer) {
        Optional<String> generation = Optional.empty();
        try {
            generation = layer.current();
            Optional<SnapshotManifest> manifest = generation.isPresent()
                    ? Optional.of(new SnapshotReader().readManifest(layer.generation(generation.get())))
                    : Optional.empty();
            return new PreviousSnapshot(layer, generation, manifest, confirmed(layer, generation), Optional.empty());
        } catch (IOException e) {
            return new PreviousSnapshot(
                    layer, generation, Optional.empty(), Optional.empty(), Optional.of(IoText.describe(e)));
        }
    }

    /// Written on this machine: its clock is not in doubt.
    private static Optional<Instant> confirmed(LayerDirectory layer, Optional<String> generation) throws IOException {
        try {
            return generation.isPresent()
                    ? new SnapshotReader().confirmed(layer, generation.get(), Instant.MAX.minusSeconds(3600))
                    : Optional.empty();
        } catch (SnapshotRefusedException damaged) {
            return Optional.empty();
        }
    }

    public boolean listsFeeds() {
        return manifest.stream().anyMatch(read -> !read.feeds().isEmpty());
    }

    public static String warning(String fault) {
        return "the previous snapshot is not completely readable: times of first sight start again, nothing is retained from where"
                + " it breaks off: " + fault;
    }

    /// Where the exact store is; empty when nothing of the snapshot is to be believed.
    public Optional<Path> exactDirectory() {
        return manifest.map(read -> layer.exactDirectory(read.generation()));
    }

    /// When the feed was last known to hold a listing, in seconds since 1970, by when the store says it was
    /// seen: what the feed itself gave to the snapshot was confirmed with it.
    public long heldUntil(String feed, long seen) {
        boolean itself = feed(feed).stream()
                .anyMatch(
                        gave -> gave.fromSource() && gave.seen().stream().anyMatch(at -> at.getEpochSecond() == seen));
        return itself ? confirmedAt.map(Instant::getEpochSecond).orElse(seen) : seen;
    }

    /// The feed in the previous snapshot.
    public Optional<ManifestFeed> feed(String name) {
        return manifest.stream()
                .flatMap(read -> read.feeds().stream())
                .filter(feed -> feed.name().equals(name))
                .findFirst();
    }
}
