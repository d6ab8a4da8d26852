package org.bloomgate.rebuild;

import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.bloomgate.feed.Cadence;
import org.bloomgate.feed.Feed;
import org.bloomgate.feed.FeedFetcher;
import org.bloomgate.feed.FeedReader;
import org.bloomgate.key.PublicSuffixes;

/// The nightly job for one layer: fetch, unpack, parse, sort, filters and store from one stream, proof, publish.
///
/// Either a whole snapshot becomes current or nothing changes. Killed at any instant it leaves the snapshot before
/// current, and the next rebuild sweeps what is left. Two rebuilds of a layer exclude each other; those of different
/// layers do not. Heap is bounded by [RebuildOptions#sortMemoryBytes] and some tens of MiB, whatever the number of
/// entries.
public final class Rebuild {
    private final Path snapshots;
    private final RebuildOptions options;
    private final FeedFetcher fetcher;
    private final FeedReader reader;
    private final PublicSuffixes suffixes;
    private final InstantSource clock;
    private final RandomGenerator random;

    /// What becomes of the snapshot that was built and proven.
    public enum Mode {
        PUBLISH,
        /// It is deleted; the report tells what would have changed.
        DRY_RUN
    }

    /// @param snapshots root of all layers
    /// @param reader must make keys with `suffixes`, which go into the snapshot
    public Rebuild(
            Path snapshots,
            RebuildOptions options,
            FeedFetcher fetcher,
            FeedReader reader,
            PublicSuffixes suffixes,
            InstantSource clock) {
        this(snapshots, options, fetcher, reader, suffixes, clock, new SecureRandom());
    }

    Rebuild(
            Path snapshots,
            RebuildOptions options,
            FeedFetcher fetcher,
            FeedReader reader,
            PublicSuffixes suffixes,
            InstantSource clock,
            RandomGenerator random) {
        this.snapshots = snapshots;
        this.options = options;
        this.fetcher = fetcher;
        this.reader = reader;
        this.suffixes = suffixes;
        this.clock = clock;
        this.random = random;
    }

    /// Rebuilds the layer of a cadence.
    ///
    /// @param feeds all that are configured; those of other cadences are left alone
    /// @param only names of the feeds to fetch, the others come from their last good copies; empty for all
    /// @throws java.util.concurrent.CancellationException when the process was asked to end
    /// @throws IOException for a fault of this machine, such as a full disk, or while the layer is being written by
    ///     somebody else; nothing was published
    public RebuildReport run(Cadence cadence, List<Feed> feeds, Set<String> only, Mode mode, RebuildProgress watcher)
            throws IOException {
        Instant now = clock.instant();
        try (Interruption interruption = Interruption.watch();
                WorkFolder work = WorkFolder.open(workFolder(cadence.layer()))) {
            StageClock progress = new StageClock(watcher, interruption);
            LastGoodCopies copies = LastGoodCopies.below(snapshots);

            ExternalSort sort = new ExternalSort(work.folder("sort"), options.sortMemoryBytes());
            FeedIntake intake =
                    new FeedIntake(fetcher, reader, copies, work.folder("fetched"), sort, options, progress, now);
            List<FeedIntaken> intaken = readFeeds(intake, cadence, feeds, only);

            progress.begin(Stage.MERGE, "");
            SortedKeys keys = sort.finish(intake.dropped(), done -> progress.advance(done, sort.records()));

            LayerPublication publication =
                    new LayerPublication(snapshots, cadence.layer(), options, suffixes, copies, random, progress);
            return publication.publish(keys, intaken, now, mode);
        }
    }

    private static List<FeedIntaken> readFeeds(FeedIntake intake, Cadence cadence, List<Feed> feeds, Set<String> only)
            throws IOException {
        List<FeedIntaken> intaken = new ArrayList<>();
        for (Feed feed : feeds) {
            if (feed.cadence() == cadence) {
                boolean fetch = only.isEmpty() || only.contains(feed.name());
                intaken.add(fetch ? intake.fromSource(feed) : intake.fromCopy(feed));
            }
        }
        return intaken;
    }

    private Path workFolder(String layer) {
        Optional<Path> given = options.tempDirectory();
        return given.map(folder -> folder.resolve("bloomgate-rebuild-" + layer))
                .orElse(snapshots.resolve(".work").resolve(layer));
    }
}
