package org.bloomgate.lists.rebuild;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.decision.keyjournal.KeyJournalOptions;
import org.bloomgate.lists.fetch.Cadence;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedCost;
import org.bloomgate.lists.fetch.FeedFetcher;
import org.bloomgate.lists.format.FeedReader;
import org.bloomgate.lists.layer.BlastRadius;
import org.bloomgate.lists.layer.FilterOptions;
import org.bloomgate.lists.layer.Interruption;
import org.bloomgate.lists.layer.KeySources;
import org.bloomgate.lists.layer.PreviousSnapshot;
import org.bloomgate.lists.layer.RebuildClock;
import org.bloomgate.lists.layer.RebuildOptions;
import org.bloomgate.lists.layer.RebuildProgress;
import org.bloomgate.lists.layer.RebuildReport;
import org.bloomgate.lists.layer.SeedSource;
import org.bloomgate.lists.snapshot.LayerDirectory;
import org.bloomgate.lists.snapshot.SigningKey;
import org.bloomgate.lists.sort.ExternalSort;
import org.bloomgate.lookup.store.ExactPublisher;

/// The nightly job for one layer: fetch, unpack, parse and sort the feeds, write filters and store in one pass,
/// prove and publish them.
///
/// Either a complete snapshot becomes current or nothing changes. If the process is killed, the previous
/// snapshot stays current, and the next rebuild deletes the temporary files. Two rebuilds of one layer exclude
/// each other. The heap is bounded by [RebuildOptions#sortMemoryBytes] and some tens of MiB, whatever the
/// number of entries.
public record Rebuild(Settings settings, Tools tools) {

    /// The use of the snapshot after it was built and proven.
    public enum Mode {
        PUBLISH,
        /// It becomes current even if bounds are exceeded; the report names them. Force does not override a
        /// failed proof, a canary, or a feed that cannot be fetched or parsed.
        FORCE,
        /// It is deleted; the report shows what would have changed.
        DRY_RUN
    }

    /// @param snapshots root of all layers
    /// @param keyJournal the records of the keys of recent messages
    public record Settings(
            Path snapshots, RebuildOptions options, FilterOptions filters, KeyJournalOptions keyJournal) {
        Path workFolder(String layer) {
            return snapshots.resolve(".work").resolve(layer);
        }

        Path seedsFile(String layer) {
            return snapshots.resolve(".seeds").resolve(layer);
        }
    }

    /// @param reader must make keys with `suffixes`, which become part of the snapshot
    /// @param shared store to which the exact store of a snapshot is written before the snapshot becomes
    ///     current
    /// @param clock the time of snapshots; with a fixed one, the same feeds make the same listings
    public record Tools(
            FeedFetcher fetcher,
            FeedReader reader,
            PublicSuffixes suffixes,
            Optional<ExactPublisher> shared,
            InstantSource clock,
            SeedSource seeds) {
        String suffixesDigest() {
            return Sha256.hex(suffixes.bytes());
        }
    }

    /// The cost of the feeds that were fetched on this machine, by name.
    ///
    /// @param snapshots root of all layers
    public static Map<String, FeedCost> costs(Path snapshots) throws IOException {
        return FeedCache.below(snapshots).costs();
    }

    /// Whether the layer of a cadence has feeds, or a snapshot of feeds that are no longer configured, which an
    /// empty snapshot has to replace.
    public boolean hasWork(Cadence cadence, List<Feed> feeds) {
        return feeds.stream().anyMatch(feed -> feed.cadence() == cadence)
                || previous(cadence).listsFeeds();
    }

    private PreviousSnapshot previous(Cadence cadence) {
        return PreviousSnapshot.of(new LayerDirectory(settings.snapshots(), cadence.layer()));
    }

    /// Rebuilds the layer of a cadence. If no feed is left, the layer becomes empty.
    ///
    /// @param configured all feeds; those of other cadences are ignored. With runs: as they were when the runs
    ///     were made
    /// @throws java.util.concurrent.CancellationException if the process received a signal to stop
    /// @throws RunsRefusedException if the runs were made from other feeds or settings, or are damaged; nothing
    ///     was published
    /// @throws IOException for a fault of this machine, such as a full disk, or while another process writes
    ///     the layer; nothing was published
    public RebuildReport run(Cadence cadence, List<Feed> configured, RebuildPlan plan, RebuildProgress display)
            throws IOException {
        List<Feed> feeds = new FeedFiles(settings.snapshots()).of(configured);
        Optional<SigningKey> signingKey = signingKey();
        try (Interruption interruption = Interruption.watch();
                WorkFolder work =
                        WorkFolder.open(settings.workFolder(cadence.layer()), plan.timeout(), interruption::check)) {
            LayerRebuild layer = new LayerRebuild(
                    this,
                    layerRun(cadence, feeds, plan, work, new RebuildClock(display, interruption)),
                    feeds.stream().filter(feed -> feed.cadence() == cadence).toList(),
                    work.folder("fetched"),
                    signingKey,
                    plan.mode());
            return switch (plan) {
                case RebuildPlan.FromFeeds fetching ->
                    layer.buildFromFeeds(FeedFiles.withFiles(fetching.feeds(), configured));
                case RebuildPlan.IfDue _ -> layer.buildIfDue(cadence);
                case RebuildPlan.FromRuns reading -> layer.buildFromRuns(reading.runs());
            };
        }
    }

    /// The key is read first: that it is unusable must not be discovered after hours of work.
    private Optional<SigningKey> signingKey() throws IOException {
        Optional<Path> file = settings.options().signingKey();
        return file.isPresent() ? Optional.of(SigningKey.read("rebuild.signingKey", file.get())) : Optional.empty();
    }

    private LayerRun layerRun(
            Cadence cadence, List<Feed> feeds, RebuildPlan plan, WorkFolder work, RebuildClock progress)
            throws IOException {
        Instant now = tools.clock().instant();
        PreviousSnapshot previous = previous(cadence);
        List<String> warnings = new ArrayList<>();
        previous.fault().ifPresent(fault -> warnings.add(PreviousSnapshot.warning(fault)));
        ExternalSort sort = new ExternalSort(
                work.folder("sort"),
                settings.options().sortMemoryBytes(),
                task -> BackgroundTask.createThreadFactory("sort")
                        .newThread(task)
                        .start());
        return new LayerRun(
                feeds,
                previous,
                readRecentMail(now),
                new LayerRun.Sorting(sort, new KeySources()),
                progress,
                new LayerRun.Remarks(new ForcedGates(plan.mode() == Mode.FORCE), warnings),
                now);
    }

    private Future<BlastRadius> readRecentMail(Instant now) {
        FutureTask<BlastRadius> reading = new FutureTask<>(() -> BlastRadius.onMailBefore(
                now, settings.keyJournal(), settings.options().examples()));
        BackgroundTask.createThreadFactory("recent-mail").newThread(reading).start();
        return reading;
    }
}
