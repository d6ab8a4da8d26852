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
import org.bloomgate.decision.keyjournal.Votes;
import org.bloomgate.lists.layer.BlastReport;
import org.bloomgate.lists.layer.RebuildOptions;
import org.bloomgate.lists.layer.RebuildReport.FeedChange;

/// Finds the feeds that keep a built snapshot from passing its gates, so that only they are affected. A last
/// good copy is checked as well: it may contain an entry that was held back when it was new.
final class FeedFaults {
    /// Fewer messages are one campaign or one correspondent, whatever their share.
    static final int FEW_MAILS = 5;

    /// The most entries of one feed that are held back individually; more are not a single mistake.
    static final int FEW_ENTRIES = 2;

    private final RebuildOptions options;
    private final LayerRun run;

    FeedFaults(RebuildOptions options, LayerRun run) {
        this.options = options;
        this.run = run;
    }

    /// The faults, at most one for each feed, in the order of the feeds.
    List<FeedFault> find(List<FeedOutcome> feeds, List<FeedChange> changes, Optional<BlastReport> blast)
            throws IOException {
        Map<String, FeedChange> changeOf = new HashMap<>();
        if (SnapshotGates.isBeyond(changes, run.summed(), options)) {
            changes.forEach(change -> changeOf.put(change.feed(), change));
        }
        Map<String, BlastReport.OfFeed> blastOf = new HashMap<>();
        blast.stream().flatMap(report -> report.feeds().stream()).forEach(feed -> blastOf.put(feed.feed(), feed));
        List<FeedFault> faults = new ArrayList<>();
        for (FeedOutcome feed : feeds) {
            Optional<FeedFault> fault = Optional.ofNullable(
                            changeOf.get(feed.feed().name()))
                    .filter(_ -> isToday(feed))
                    .flatMap(this::checkChange);
            Optional<BlastReport.OfFeed> feedBlast =
                    Optional.ofNullable(blastOf.get(feed.feed().name()));
            if (fault.isEmpty() && feedBlast.isPresent()) {
                fault = checkBlast(feed, feedBlast.get(), blast.orElseThrow());
            }
            fault.ifPresent(faults::add);
        }
        return faults;
    }

    private static boolean isToday(FeedOutcome feed) {
        return switch (feed.content().from()) {
            case SOURCE, NOT_MODIFIED -> true;
            case NOT_DUE, LAST_GOOD_COPY, NOTHING -> false;
        };
    }

    private Optional<FeedFault> checkChange(FeedChange change) {
        if (run.remarks().gates().isForced() || !SnapshotGates.isBeyond(List.of(change), run.summed(), options)) {
            return Optional.empty();
        }
        return Optional.of(new FeedFault.Whole(
                change.feed(),
                String.format(
                        Locale.ROOT,
                        "%d listings added and %d removed where %d were, more than the share of %s;"
                                + " if this is intended, rebuild --force",
                        change.added(),
                        change.removed(),
                        change.before(),
                        options.bounds().maxChangeShare())));
    }

    private Optional<FeedFault> checkBlast(FeedOutcome feed, BlastReport.OfFeed feedBlast, BlastReport all)
            throws IOException {
        double bound =
                feed.feed().bounds().maxBlastShare().orElse(options.bounds().maxBlastShare());
        if (!isBeyond(feedBlast.known(), feedBlast.voters(), all, bound)) {
            return Optional.empty();
        }
        String name = feed.feed().name();
        String reason = String.format(
                Locale.ROOT,
                "%d of %d messages delivered in the last day contain a key that it newly lists and that earlier messages contained, more"
                        + " than maxBlastShare %s; if this is intended, rebuild --force",
                feedBlast.known(),
                all.mails(),
                bound);
        if (run.remarks().gates().closedBy("feed " + name + ": " + reason).isEmpty()) {
            return Optional.empty();
        }
        Set<Key> causes = findCauses(name, all, bound);
        boolean few = !causes.isEmpty() && feed.reading().orElseThrow().held().size() + causes.size() <= FEW_ENTRIES;
        return Optional.of(
                few
                        ? new FeedFault.Entries(name, reason + "; held back: " + textsOf(causes), causes)
                        : new FeedFault.Whole(name, reason));
    }

    private static boolean isBeyond(long messages, long voters, BlastReport all, double bound) {
        return voters >= FEW_MAILS && all.exceeds(messages, bound);
    }

    /// The fewest keys without which the feed would be within its bound; empty if they are more than
    /// [#FEW_ENTRIES].
    private Set<Key> findCauses(String feed, BlastReport all, double bound) throws IOException {
        List<Key> mostFrequent = run.blast().mostFrequent(feed, FEW_ENTRIES);
        for (int keys = 1; keys <= mostFrequent.size(); keys++) {
            Set<Key> causes = Set.copyOf(mostFrequent.subList(0, keys));
            Votes<String> without = run.blast().knownWithout(feed, causes);
            if (!isBeyond(without.messages(feed), without.voters(feed), all, bound)) {
                return causes;
            }
        }
        return Set.of();
    }

    private static String textsOf(Set<Key> keys) {
        return keys.stream().map(Key::text).sorted().collect(Collectors.joining(", "));
    }
}
