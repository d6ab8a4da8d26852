package org.bloomgate.rebuild;

import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.bloomgate.exact.SortedStores;
import org.bloomgate.feed.Cadence;
import org.bloomgate.feed.Feed;
import org.bloomgate.feed.FeedFetcher;
import org.bloomgate.feed.FeedReader;
import org.bloomgate.journal.KeyJournalOptions;
import org.bloomgate.key.PublicSuffixes;
import org.bloomgate.snapshot.ExactPublisher;
import org.bloomgate.snapshot.LayerDirectory;
import org.bloomgate.snapshot.SigningKey;
import org.bloomgate.sort.ExternalSort;
import org.bloomgate.sort.SortedKeys;

/// The nightly job for one layer: fetch, unpack, parse, sort, filters and store from one stream, proof, publish.
///
/// Either a whole snapshot becomes current or nothing changes. Killed at any instant it leaves the snapshot
/// before current, and the next rebuild sweeps what is left. Two rebuilds of a layer exclude each other;
/// those of different layers do not. Heap is bounded by [RebuildOptions#sortMemoryBytes] and some tens of
/// MiB, whatever the number of entries.
public final class Rebuild {
    private final Path snapshots;
    private final RebuildOptions options;
    private final FilterOptions filters;
    private final KeyJournalOptions mail;
    private final FeedFetcher fetcher;
    private final FeedReader reader;
    private final PublicSuffixes suffixes;
    private final SortedStores stores;
    private final Optional<ExactPublisher> shared;
    private final InstantSource clock;
    private final RandomGenerator random;

    /// What becomes of the snapshot that was built and proven.
    public enum Mode {
        PUBLISH,
        /// It becomes current although bounds are exceeded; the report names them. A failed proof, a canary and a
        /// feed that cannot be had or read are no bounds.
        FORCE,
        /// It is deleted; the report tells what would have changed.
        DRY_RUN
    }

    /// @param snapshots root of all layers
    /// @param mail where gateways keep which keys recent mail held
    /// @param reader must make keys with `suffixes`, which go into the snapshot
    /// @param stores makes and opens exact stores
    /// @param shared is given the exact store of every snapshot before that becomes current
    public Rebuild(
            Path snapshots,
            RebuildOptions options,
            FilterOptions filters,
            KeyJournalOptions mail,
            FeedFetcher fetcher,
            FeedReader reader,
            PublicSuffixes suffixes,
            SortedStores stores,
            Optional<ExactPublisher> shared,
            InstantSource clock) {
        this(snapshots, options, filters, mail, fetcher, reader, suffixes, stores, shared, clock, new SecureRandom());
    }

    Rebuild(
            Path snapshots,
            RebuildOptions options,
            FilterOptions filters,
            KeyJournalOptions mail,
            FeedFetcher fetcher,
            FeedReader reader,
            PublicSuffixes suffixes,
            SortedStores stores,
            Optional<ExactPublisher> shared,
            InstantSource clock,
            RandomGenerator random) {
        this.mail = mail;
        this.snapshots = snapshots;
        this.options = options;
        this.filters = filters;
        this.fetcher = fetcher;
        this.reader = reader;
        this.suffixes = suffixes;
        this.stores = stores;
        this.shared = shared;
        this.clock = clock;
        this.random = random;
    }

    /// Whether there is anything to do for the layer of a cadence: feeds, or a snapshot of feeds that are no
    /// longer configured, which an empty one is to take the place of.
    public boolean isDue(Cadence cadence, List<Feed> feeds) {
        return feeds.stream().anyMatch(feed -> feed.cadence() == cadence)
                || PreviousSnapshot.of(new LayerDirectory(snapshots, cadence.layer()))
                        .listsFeeds();
    }

    /// Rebuilds the layer of a cadence. Without any feed, a layer that had some becomes an empty one.
    ///
    /// @param configured all feeds; those of other cadences are left alone
    /// @param asked names of the feeds to fetch, the others come from their last good copies; empty for all
    /// @throws java.util.concurrent.CancellationException when the process was asked to end
    /// @throws IOException for a fault of this machine, such as a full disk, or while the layer is being
    ///     written by somebody else; nothing was published
    public RebuildReport run(
            Cadence cadence, List<Feed> configured, Set<String> asked, Mode mode, RebuildProgress watcher)
            throws IOException {
        List<Feed> feeds = new FeedFiles(snapshots).of(configured);
        Set<String> only = FeedFiles.named(asked, configured);
        Instant now = clock.instant();
        Optional<SigningKey> signingKey = signingKey();
        try (Interruption interruption = Interruption.watch();
                WorkFolder work = WorkFolder.open(workFolder(cadence.layer()))) {
            RebuildClock progress = new RebuildClock(watcher, interruption);
            LayerRun layer = layerRun(cadence.layer(), feeds, mode, work, progress, now);
            LastGoodCopies copies = LastGoodCopies.below(snapshots);
            List<Feed> ofLayer =
                    feeds.stream().filter(feed -> feed.cadence() == cadence).toList();

            FeedIntake intake = new FeedIntake(fetcher, reader, copies, work.folder("fetched"), options, layer);
            List<FeedIntaken> intaken = readFeeds(intake, ofLayer, only);
            new RetainedListings(reader, layer).add(ofLayer);

            LayerPublication publication = new LayerPublication(
                    snapshots, options, filters, suffixes, copies, random, signingKey, shared, layer);
            return publish(publication, intake, intaken, layer, mode);
        }
    }

    /// Until no feed is at fault any more. That ends: what is at fault loses at least an entry each time, a
    /// few entries at most, then its content of today, then its last good copy.
    private static RebuildReport publish(
            LayerPublication publication, FeedIntake intake, List<FeedIntaken> first, LayerRun layer, Mode mode)
            throws IOException {
        List<FeedIntaken> intaken = first;
        List<BlastReport.OfFeed> held = new ArrayList<>();
        while (true) {
            switch (publication.publish(merged(layer), intaken, mode, held)) {
                case LayerPublication.Attempt.Done(RebuildReport report) -> {
                    return report;
                }
                case LayerPublication.Attempt.AtFault(List<FeedFault> faults, List<BlastReport.OfFeed> blasts) -> {
                    intaken = withoutFaults(intake, intaken, faults);
                    held.addAll(blasts);
                }
            }
        }
    }

    private static SortedKeys merged(LayerRun layer) throws IOException {
        layer.progress().begin(RebuildStage.MERGE, "");
        return layer.sort()
                .finish(
                        layer.sources().dropped(),
                        done -> layer.progress().advance(done, layer.sort().records()));
    }

    private static List<FeedIntaken> withoutFaults(FeedIntake intake, List<FeedIntaken> intaken, List<FeedFault> faults)
            throws IOException {
        Map<String, FeedFault> byFeed = faults.stream().collect(Collectors.toMap(FeedFault::feed, Function.identity()));
        List<FeedIntaken> again = new ArrayList<>();
        for (FeedIntaken feed : intaken) {
            Optional<FeedFault> fault =
                    Optional.ofNullable(byFeed.get(feed.feed().name()));
            again.add(fault.isPresent() ? intake.again(feed, fault.get()) : feed);
        }
        return again;
    }

    /// Read first: hours of work for a snapshot that nobody would adopt are better not begun.
    private Optional<SigningKey> signingKey() throws IOException {
        return options.signingKey().isPresent()
                ? Optional.of(SigningKey.read(
                        "rebuild.signingKey", options.signingKey().get()))
                : Optional.empty();
    }

    private LayerRun layerRun(
            String layer, List<Feed> feeds, Mode mode, WorkFolder work, RebuildClock progress, Instant now)
            throws IOException {
        PreviousSnapshot previous = PreviousSnapshot.of(new LayerDirectory(snapshots, layer));
        List<String> warnings = new ArrayList<>();
        previous.fault().ifPresent(fault -> warnings.add(PreviousSnapshot.warning(fault)));
        return new LayerRun(
                layer,
                feeds.stream().map(Feed::name).collect(Collectors.toSet()),
                feeds.stream()
                        .filter(feed -> feed.bounds().maxGrowthShare().isEmpty())
                        .map(Feed::name)
                        .collect(Collectors.toSet()),
                previous,
                stores,
                new Gates(mode == Mode.FORCE),
                BlastRadius.onMailBefore(now, mail, options.examples()),
                new ExternalSort(work.folder("sort"), options.sortMemoryBytes()),
                new KeySources(),
                progress,
                warnings,
                now);
    }

    private static List<FeedIntaken> readFeeds(FeedIntake intake, List<Feed> feeds, Set<String> only)
            throws IOException {
        List<FeedIntaken> intaken = new ArrayList<>();
        for (Feed feed : feeds) {
            boolean fetch = only.isEmpty() || only.contains(feed.name());
            intaken.add(fetch ? intake.fromSource(feed) : intake.fromCopy(feed));
        }
        return intaken;
    }

    private Path workFolder(String layer) {
        Optional<Path> given = options.tempDirectory();
        return given.map(folder -> folder.resolve("bloomgate-rebuild-" + layer))
                .orElse(snapshots.resolve(".work").resolve(layer));
    }
}
