package org.bloomgate.lists.layer;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.SourceFiles;
import org.bloomgate.lists.snapshot.LayerDirectory;
import org.bloomgate.lists.snapshot.LiveStatus.LayerStatus;
import org.bloomgate.lists.snapshot.ManifestFeed;

/// What the current snapshot of a layer contains, and how recent it is.
///
/// @param renewedAt when it was created, or a rebuild last found nothing new in its feeds
/// @param feeds a feed with several files has one for each
public record BuiltLayer(Instant renewedAt, List<ManifestFeed> feeds) {
    public BuiltLayer {
        feeds = List.copyOf(feeds);
    }

    public static BuiltLayer of(LayerStatus status) {
        return new BuiltLayer(status.confirmedAt().orElse(status.createdAt()), status.feeds());
    }

    /// The current snapshots on this machine, by layer. One that cannot be read is left out.
    public static Map<String, BuiltLayer> readAll(Path snapshots) throws IOException {
        Map<String, BuiltLayer> layers = new TreeMap<>();
        for (LayerDirectory directory : LayerDirectory.listAll(snapshots)) {
            PreviousSnapshot current = PreviousSnapshot.of(directory);
            current.manifest()
                    .ifPresent(manifest -> layers.put(
                            directory.name(),
                            new BuiltLayer(
                                    current.confirmedAt().orElse(manifest.createdAt()),
                                    ManifestFeed.confirm(manifest.feeds(), current.confirmedAt()))));
        }
        return layers;
    }

    /// The files of a configured feed; empty if it was never built.
    public List<ManifestFeed> findFiles(Feed feed) {
        return feeds.stream()
                .filter(file -> !file.gaveNothing()
                        && (file.name().equals(feed.name()) || SourceFiles.isFileOf(feed, file.name())))
                .toList();
    }
}
