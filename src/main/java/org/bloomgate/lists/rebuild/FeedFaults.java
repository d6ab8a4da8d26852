package org.bloomgate.lists.rebuild;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.bloomgate.core.key.Key;
import org.bloomgate.lists.build.BlastReport;
import org.bloomgate.lists.build.RebuildOptions;
import org.bloomgate.lists.build.RebuildReport.FeedChange;

/// Finds the feeds without which a built snapshot would pass its gates: each fault affects its feed only. A
/// last good copy is checked as well: it may contain an entry that was held back when it was new.
final class FeedFaults {
    /// Fewer messages are one campaign or one correspondent, whatever their share.
    static final int FEW_MAILS = 5;

    /// Entries of one feed that are held one by one; more are no slip of one entry.
    static final int FEW_ENTRIES = 2;

    private final RebuildOptions options;
    private final LayerRun run;

    FeedFaults(RebuildOptions options, LayerRun run) {
        this.options = options;
        this.run = run;
    }

    /// At most one for each feed, in the order of the feeds.
    List<FeedFault> of(List<IngestResult> feeds, List<FeedChange> changes, Optional<BlastReport> blast)
            throws IOException {
        Map<String, FeedChange> changeOf = new HashMap<>();
        if (SnapshotGates.isBeyond(changes, run.summed(), options)) {
            changes.forEach(change -> changeOf.put(change.feed(), change));
        }
        Map<String, BlastReport.OfFeed> blastOf = new HashMap<>();
        blast.stream().flatMap(report -> report.feeds().stream()).forEach(one -> blastOf.put(one.feed(), one));
        List<FeedFault> faults = new ArrayList<>();
        for (IngestResult feed : feeds) {
            Optional<FeedFault> fault = Optional.ofNullable(
                            changeOf.get(feed.feed().name()))
                    .filter(change -> isToday(feed))
                    .flatMap(this::change);
            Optional<BlastReport.OfFeed> stopped =
                    Optional.ofNullable(blastOf.get(feed.feed().name()));
            if (fault.isEmpty() && stopped.isPresent()) {
                fault = blast(feed, stopped.get(), blast.orElseThrow());
            }
            fault.ifPresent(faults::add);
        }
        return faults;
    }

    private static boolean isToday(IngestResult feed) {
        return switch (feed.report().from()) {
            case SOURCE, NOT_MODIFIED -> true;
            case NOT_DUE, LAST_GOOD_COPY, NOTHING -> false;
        };
    }

    private Optional<FeedFault> change(FeedChange change) {
        if (run.gates().isForced() || !SnapshotGates.isBeyond(List.of(change), run.summed(), options)) {
            return Optional.empty();
        }
        return Optional.of(new FeedFault.Whole(
                change.feed(),
                String.format(
                        Locale.ROOT,
                        "%d listings added and %d removed where %d were, more than the share of %s;"
                                + " if that is meant, rebuild --force",
                        change.added(),
                        change.removed(),
                        change.before(),
                        options.bounds().maxChangeShare())));
    }

    private Optional<FeedFault> blast(IngestResult feed, BlastReport.OfFeed stopped, BlastReport all)
            throws IOException {
        double bound =
                feed.feed().bounds().maxBlastShare().orElse(options.bounds().maxBlastShare());
        if (!isBeyond(stopped.known(), all, bound)) {
            return Optional.empty();
        }
        String name = feed.feed().name();
        String reason = String.format(
                Locale.ROOT,
                "%d of %d messages delivered in the last day contain a key that it newly lists and that earlier mail contained, more"
                        + " than maxBlastShare %s; if that is meant, rebuild --force",
                stopped.known(),
                all.mails(),
                bound);
        if (run.gates().closedBy("feed " + name + ": " + reason).isEmpty()) {
            return Optional.empty();
        }
        Set<Key> causes = causes(name, all, bound);
        boolean few = !causes.isEmpty() && feed.reading().orElseThrow().held().size() + causes.size() <= FEW_ENTRIES;
        return Optional.of(
                few
                        ? new FeedFault.Entries(name, reason + "; held back: " + texts(causes), causes)
                        : new FeedFault.Whole(name, reason));
    }

    private static boolean isBeyond(long mails, BlastReport all, double bound) {
        return mails >= FEW_MAILS && all.exceeds(mails, bound);
    }

    /// The fewest keys without which the feed would be within its bound; empty when they are more than
    /// [#FEW_ENTRIES].
    private Set<Key> causes(String feed, BlastReport all, double bound) throws IOException {
        List<Key> widest = run.blast().widest(feed, FEW_ENTRIES);
        for (int keys = 1; keys <= widest.size(); keys++) {
            Set<Key> causes = Set.copyOf(widest.subList(0, keys));
            if (!isBeyond(run.blast().knownWithout(feed, causes), all, bound)) {
                return causes;
            }
        }
        return Set.of();
    }

    private static String texts(Set<Key> keys) {
        return keys.stream().map(Key::text).sorted().collect(Collectors.joining(", "));
    }
}
