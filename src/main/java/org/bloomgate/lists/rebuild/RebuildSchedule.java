package org.bloomgate.lists.rebuild;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.bloomgate.lists.fetch.Cadence;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.SourceStamp;
import org.bloomgate.lists.layer.PreviousSnapshot;
import org.bloomgate.lists.rebuild.LayerInputs.FeedInput;
import org.bloomgate.lists.snapshot.ManifestFile;
import org.bloomgate.lists.snapshot.SnapshotManifest;
import org.bloomgate.lists.snapshot.SnapshotReader;

/// Decides whether a layer is due, and which of its sources are fetched.
///
/// Local sources are checked each time; sources on web servers are fetched once per cadence, and again after a
/// failure.
///
/// @param recipe of this rebuild
/// @param inputs of the last rebuild; empty if unknown
/// @param copies the last good copies of the feeds
record RebuildSchedule(
        Cadence cadence,
        List<Feed> feeds,
        PreviousSnapshot previous,
        String recipe,
        Optional<LayerInputs> inputs,
        FeedCache copies,
        Instant now) {
    /// A snapshot up to this size is verified, which is quick; of a larger one only the sizes of its files are
    /// checked.
    private static final long QUICK_BYTES = 64L << 20;

    /// Why the layer is due; empty when it is not.
    Optional<String> findReason() throws IOException {
        if (feeds.isEmpty()) {
            return previous.listsFeeds() ? Optional.of("its feeds were removed") : Optional.empty();
        }
        if (previous.manifest().isEmpty()) {
            return Optional.of(previous.fault().orElse("it has no generation"));
        }
        Optional<String> change = findChange();
        return change.isPresent() ? change : findDamage(previous.manifest().get());
    }

    private Optional<String> findChange() throws IOException {
        if (inputs.isEmpty() || !isOfCurrent(inputs.get())) {
            return Optional.of("the inputs of its generation are unknown");
        }
        LayerInputs before = inputs.get();
        if (!before.recipe().equals(recipe)) {
            return Optional.of("the configuration changed");
        }
        if (before.holdsUntil().stream().anyMatch(until -> !now.isBefore(until))) {
            return Optional.of("a retained listing or a filter's seed expires");
        }
        if (before.feeds().size() != feeds.size()) {
            return Optional.of("feeds were added or removed");
        }
        for (Feed feed : feeds) {
            Optional<String> reason = findReason(feed, before.feed(feed.name()));
            if (reason.isPresent()) {
                return reason.map(why -> "feed " + feed.name() + " " + why);
            }
        }
        return Optional.empty();
    }

    /// After a rollback the inputs are those of a later generation, which must not be built again at once.
    private boolean isOfCurrent(LayerInputs before) {
        String current = previous.generation().orElse("");
        return before.generation().equals(current)
                || (before.generation().compareTo(current) > 0
                        && Files.isDirectory(previous.layer().resolveGeneration(before.generation())));
    }

    /// Called last, as it reads the whole snapshot.
    private Optional<String> findDamage(SnapshotManifest manifest) throws IOException {
        Path directory = previous.layer().resolveGeneration(manifest.generation());
        try {
            if (manifest.countBytes() <= QUICK_BYTES) {
                SnapshotManifest _ = new SnapshotReader().verify(directory);
                return Optional.empty();
            }
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
        for (ManifestFile file : manifest.files()) {
            Path path = directory.resolve(file.path());
            if (!Files.isRegularFile(path) || Files.size(path) != file.sizeBytes()) {
                return Optional.of(file.path() + " is damaged");
            }
        }
        return Optional.empty();
    }

    private Optional<String> findReason(Feed feed, Optional<FeedInput> before) throws IOException {
        if (before.isEmpty() || !before.get().definition().equals(OptionsDigest.of(feed))) {
            return Optional.of("is new, or was configured differently");
        }
        if (before.get().failed()) {
            return Optional.of("failed last time");
        }
        if (isOld(before.get())) {
            return Optional.of("was not fetched for " + cadence.dueAfter());
        }
        return SourceStamp.isRemote(feed) || isUnchanged(feed, before.get())
                ? Optional.empty()
                : Optional.of("has changed");
    }

    private boolean isUnchanged(Feed feed, FeedInput before) throws IOException {
        Optional<String> stamp = SourceStamp.of(feed, now);
        return (stamp.isPresent() && stamp.equals(before.stamp()))
                || (!copies.isOther(feed, before.fingerprint()) && SourceStamp.isOf(feed, before.fingerprint()));
    }

    /// A time in the future comes from a wrong clock and is ignored.
    private boolean isOld(FeedInput before) {
        return before.requestedAt().isEmpty()
                || before.requestedAt().get().isAfter(now)
                || !before.requestedAt().get().plus(cadence.dueAfter()).isAfter(now);
    }

    /// Whether the source of a feed is fetched in a due rebuild.
    boolean fetches(Feed feed) {
        Optional<FeedInput> before = inputs.filter(last -> !last.held()).flatMap(last -> last.feed(feed.name()));
        return !SourceStamp.isRemote(feed)
                || before.isEmpty()
                || before.get().failed()
                || isOld(before.get())
                || !before.get().definition().equals(OptionsDigest.of(feed));
    }
}
