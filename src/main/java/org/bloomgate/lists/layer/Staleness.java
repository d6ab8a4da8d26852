package org.bloomgate.lists.layer;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.bloomgate.lists.fetch.Cadence;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.snapshot.ManifestFeed;
import org.bloomgate.lists.snapshot.RebuildHistory;

/// The rule of what is stale. A layer is stale while its snapshot or a feed in it is older than three of its
/// cadences, while a configured feed was never built, and while no rebuild was attempted for three cadences.
/// Pure.
public final class Staleness {
    private static final int MAX_CADENCES = 3;

    /// The most feeds that a reason names.
    private static final int MAX_NAMES = 5;

    private Staleness() {}

    /// The rebuilds that this machine makes.
    ///
    /// @param feeds that they fetch
    /// @param attempts when the last rebuild ended, by layer
    public record LocalRebuilds(List<Feed> feeds, Map<String, Instant> attempts) {
        public LocalRebuilds {
            feeds = List.copyOf(feeds);
            attempts = Map.copyOf(attempts);
        }

        /// @param history refreshed
        public static LocalRebuilds of(List<Feed> feeds, RebuildHistory history) {
            Map<String, Instant> attempts = new HashMap<>();
            history.findLastRebuilds().forEach((layer, last) -> attempts.put(layer, last.time()));
            return new LocalRebuilds(feeds, attempts);
        }
    }

    /// The reason for each stale layer, by layer.
    ///
    /// @param layers that are in use
    /// @param rebuilds empty on a mirror
    public static Map<String, String> find(
            Map<String, BuiltLayer> layers, Optional<LocalRebuilds> rebuilds, Instant now) {
        Map<String, String> stale = new TreeMap<>();
        for (Cadence cadence : Cadence.values()) {
            Optional<BuiltLayer> layer = Optional.ofNullable(layers.get(cadence.layer()));
            List<Feed> feeds = rebuilds.stream()
                    .flatMap(local -> local.feeds().stream())
                    .filter(feed -> feed.cadence() == cadence)
                    .toList();
            if (!feeds.isEmpty()
                    || layer.stream().anyMatch(built -> !built.feeds().isEmpty())) {
                List<String> reasons = new ArrayList<>();
                findUnbuilt(feeds, layer).ifPresent(reasons::add);
                layer.flatMap(built -> findOld(cadence, built, now)).ifPresent(reasons::add);
                rebuilds.flatMap(local -> findMissingAttempt(cadence, layer, local, now))
                        .ifPresent(reasons::add);
                if (!reasons.isEmpty()) {
                    stale.put(cadence.layer(), String.join("; ", reasons));
                }
            }
        }
        return stale;
    }

    /// Whether something that was current at a time is stale.
    public static boolean isOld(Cadence cadence, Instant currentAt, Instant now) {
        return Duration.between(currentAt, now).compareTo(cadence.interval().multipliedBy(MAX_CADENCES)) > 0;
    }

    private static Optional<String> findUnbuilt(List<Feed> feeds, Optional<BuiltLayer> layer) {
        return list(
                "never built: ",
                feeds.stream()
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
            Cadence cadence, Optional<BuiltLayer> layer, LocalRebuilds rebuilds, Instant now) {
        Optional<Instant> attempt = Stream.concat(
                        layer.map(BuiltLayer::renewedAt).stream(),
                        Optional.ofNullable(rebuilds.attempts().get(cadence.layer())).stream())
                .max(Instant::compareTo);
        if (attempt.stream().anyMatch(at -> !isOld(cadence, at, now))) {
            return Optional.empty();
        }
        return Optional.of("no rebuild " + attempt.map(at -> "since " + at).orElse("so far")
                + ", which a timer (bloomgate-rebuild@" + cadence.layer() + ".timer) or gateway.rebuild starts");
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
