package org.bloomgate.lists.layer;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.bloomgate.lists.fetch.Cadence;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.SourceFiles;
import org.bloomgate.lists.snapshot.LayerDirectory;
import org.bloomgate.lists.snapshot.LiveStatus.LayerStatus;
import org.bloomgate.lists.snapshot.ManifestFeed;
import org.bloomgate.lists.snapshot.PastRebuild;

/// The rule of what is stale. A layer is stale while its snapshot or a feed in it is older than three of its
/// cadences, while a configured feed was never built, and while no rebuild was attempted for three cadences.
public final class Staleness {
    private static final int MAX_CADENCES = 3;

    /// The most feeds that a reason names.
    private static final int MAX_NAMES = 5;

    private Staleness() {}

    /// What the current snapshot of a layer contains, and how recent it is.
    ///
    /// @param renewedAt when it was created, or a rebuild last found nothing new in its feeds
    /// @param feeds a feed with several files has one for each
    public record BuiltLayer(Instant renewedAt, List<ManifestFeed> feeds) {
        public BuiltLayer {
            feeds = List.copyOf(feeds);
        }

        public static BuiltLayer of(LayerStatus status) {
            return new BuiltLayer(status.renewedAt(), status.feeds());
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

    /// The reason for each stale layer, by layer.
    ///
    /// @param layers that are in use
    /// @param feeds that rebuilds on this machine fetch; empty on a mirror
    /// @param last the last rebuild of each layer on this machine
    public static Map<String, String> find(
            Map<String, BuiltLayer> layers, List<Feed> feeds, Map<String, PastRebuild> last, Instant now) {
        Map<String, String> stale = new TreeMap<>();
        for (Cadence cadence : Cadence.values()) {
            String name = cadence.layer();
            Optional<BuiltLayer> layer = Optional.ofNullable(layers.get(name))
                    .filter(built -> !built.feeds().isEmpty());
            List<Feed> configured =
                    feeds.stream().filter(feed -> feed.cadence() == cadence).toList();
            List<String> reasons = new ArrayList<>();
            findUnbuilt(configured, layer).ifPresent(reasons::add);
            layer.flatMap(built -> findOld(cadence, built, now)).ifPresent(reasons::add);
            if (!configured.isEmpty()) {
                findMissingAttempt(cadence, layer, Optional.ofNullable(last.get(name)), now)
                        .ifPresent(reasons::add);
            }
            if (!reasons.isEmpty()) {
                stale.put(name, String.join("; ", reasons));
            }
        }
        return stale;
    }

    /// Whether something that was current at a time is stale.
    public static boolean isOld(Cadence cadence, Instant currentAt, Instant now) {
        return Duration.between(currentAt, now).compareTo(cadence.interval().multipliedBy(MAX_CADENCES)) > 0;
    }

    private static Optional<String> findUnbuilt(List<Feed> configured, Optional<BuiltLayer> layer) {
        return list(
                "never built: ",
                configured.stream()
                        .filter(feed -> layer.stream()
                                .allMatch(built -> built.findFiles(feed).isEmpty()))
                        .map(Feed::name)
                        .toList());
    }

    private static Optional<String> findOld(Cadence cadence, BuiltLayer layer, Instant now) {
        if (isOld(cadence, layer.renewedAt(), now)) {
            return Optional.of("older than " + MAX_CADENCES + " cadences, last renewed " + layer.renewedAt());
        }
        return list(
                "not from the source for " + MAX_CADENCES + " cadences: ",
                layer.feeds().stream()
                        .filter(feed -> feed.seen().stream().anyMatch(seen -> isOld(cadence, seen, now)))
                        .map(ManifestFeed::name)
                        .toList());
    }

    /// A renewal counts as an attempt, so that a lost history is none of these.
    private static Optional<String> findMissingAttempt(
            Cadence cadence, Optional<BuiltLayer> layer, Optional<PastRebuild> last, Instant now) {
        Optional<Instant> attempt = Stream.concat(
                        layer.map(BuiltLayer::renewedAt).stream(), last.map(PastRebuild::time).stream())
                .max(Instant::compareTo);
        return attempt.stream().anyMatch(at -> !isOld(cadence, at, now))
                ? Optional.empty()
                : Optional.of("no rebuild " + attempt.map(at -> "since " + at).orElse("so far") + ": bloomgate-rebuild@"
                        + cadence.layer() + ".timer or gateway.rebuild starts them");
    }

    private static Optional<String> list(String what, List<String> names) {
        int more = names.size() - MAX_NAMES;
        return names.isEmpty()
                ? Optional.empty()
                : Optional.of(what
                        + String.join(", ", names.subList(0, Math.min(MAX_NAMES, names.size())))
                        + (more > 0 ? " and " + more + " more" : ""));
    }
}
