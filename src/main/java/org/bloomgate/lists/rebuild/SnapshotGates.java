package org.bloomgate.lists.rebuild;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.lists.layer.BlastReport;
import org.bloomgate.lists.layer.RebuildOptions;
import org.bloomgate.lists.layer.RebuildReport.FeedChange;
import org.bloomgate.lookup.store.SortedStore;

/// The gates that a proven snapshot has to pass before it is published, in the order of the report.
final class SnapshotGates {
    /// Fewer added or removed listings are manual changes, whatever their share.
    static final int FEW = 100;

    /// Fewer messages are one campaign or one correspondent, whatever their share.
    static final int FEW_MAILS = 20;

    private final RebuildOptions options;
    private final PublicSuffixes suffixes;
    private final ForcedGates gates;

    SnapshotGates(RebuildOptions options, PublicSuffixes suffixes, ForcedGates gates) {
        this.options = options;
        this.suffixes = suffixes;
        this.gates = gates;
    }

    /// Why the snapshot must not be published; empty when it may.
    ///
    /// @param exact store of the snapshot
    Optional<String> findClosed(Path exact, List<FeedChange> changes, Optional<BlastReport> blast, LayerRun run)
            throws IOException {
        List<String> canaries = findListedCanaries(exact);
        String closed = Stream.of(
                        canaries.stream(),
                        checkChange(changes, run).flatMap(gates::closedBy).stream(),
                        blast.flatMap(this::checkBlast).flatMap(gates::closedBy).stream())
                .flatMap(reasons -> reasons)
                .collect(Collectors.joining("; "));
        return closed.isEmpty() ? Optional.empty() : Optional.of(closed);
    }

    private List<String> findListedCanaries(Path exact) throws IOException {
        try (SortedStore store = SortedStore.open(exact)) {
            return Canaries.with(options.bounds().canaries()).findListed(store, suffixes);
        }
    }

    private Optional<String> checkBlast(BlastReport blast) {
        if (blast.voters() < FEW_MAILS
                || !blast.exceeds(blast.known(), options.bounds().maxTotalBlastShare())) {
            return Optional.empty();
        }
        return Optional.of(String.format(
                Locale.ROOT,
                "%d of %d messages delivered in the last day contain a key that is newly listed and that earlier messages contained, by"
                        + " %s, more than the share of %s; if this is intended, rebuild --force",
                blast.known(),
                blast.mails(),
                blast.feeds().stream()
                        .filter(feed -> feed.known() > 0)
                        .map(BlastReport.OfFeed::feed)
                        .collect(Collectors.joining(", ")),
                options.bounds().maxTotalBlastShare()));
    }

    private Optional<String> checkChange(List<FeedChange> changes, LayerRun run) {
        if (!isBeyond(changes, run.summed(), options)) {
            return Optional.empty();
        }
        Change all = Change.of(changes, run.summed());
        return Optional.of(String.format(
                Locale.ROOT,
                "%d listings added and %d removed where %d were, more than the share of %s;"
                        + " if this is intended, rebuild --force",
                all.added(),
                all.removed(),
                all.before(),
                options.bounds().maxChangeShare()));
    }

    /// Whether more listings are added or removed than [RebuildOptions.Bounds#maxChangeShare] allows.
    ///
    /// @param feeds whose changes are summed up
    static boolean isBeyond(List<FeedChange> changes, Set<String> feeds, RebuildOptions options) {
        Change all = Change.of(changes, feeds);
        long changed = Math.max(all.added(), all.removed());
        return changed >= FEW && changed > options.bounds().maxChangeShare() * all.before();
    }

    /// The total change of feeds that were in the previous snapshot and are still configured: a feed that was
    /// added to the configuration, or removed from it, is an intended change. A feed that had no entries,
    /// because it failed, counts as new.
    private record Change(long before, long added, long removed) {
        static Change of(List<FeedChange> changes, Set<String> feeds) {
            List<FeedChange> counted = changes.stream()
                    .filter(feed -> feed.before() > 0 && feeds.contains(feed.feed()))
                    .toList();
            return new Change(
                    counted.stream().mapToLong(FeedChange::before).sum(),
                    counted.stream().mapToLong(FeedChange::added).sum(),
                    counted.stream().mapToLong(FeedChange::removed).sum());
        }
    }
}
