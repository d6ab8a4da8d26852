package org.bloomgate.lists.rebuild;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.bloomgate.lists.build.FeedReport;
import org.bloomgate.lists.build.RebuildOptions;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedCounts;
import org.bloomgate.lists.fetch.FeedRefusedException;
import org.bloomgate.lists.format.FormatLikeness;
import org.bloomgate.lists.snapshot.ManifestFeed;

/// The gates that a whole feed has to pass, each with a bound of the feed's own or that of all.
final class FeedGates {
    /// Fewer entries held or lost are a correction by hand, whatever their share: a short list would close
    /// its gate by every second line.
    static final int FEW = 5;

    /// Fewer entries won are a day's work, whatever their share.
    static final int FEW_NEW = 100;

    /// Lines that the reason names.
    private static final int SHOWN = 3;

    private final RebuildOptions options;
    private final PublishChecks gates;

    /// How many exceptions each feed brought that passed.
    private final Map<String, Integer> exceptions = new HashMap<>();

    FeedGates(RebuildOptions options, PublishChecks gates) {
        this.options = options;
        this.gates = gates;
    }

    /// @param before what the feed gave to the snapshot before; empty for a last good copy, which may be of
    ///     any age
    /// @throws FeedRefusedException naming the bound that is exceeded
    void pass(Feed feed, FeedReading reading, Optional<ManifestFeed> before) throws FeedRefusedException {
        FeedCounts counts = reading.counts();
        List<FeedReport.Example> rejected = reading.rejected();
        if (counts.keys() == 0) {
            close(feed, keyless(feed, counts) + likeness(feed, rejected) + shown(rejected) + shown(reading.heldBack()));
        }
        rejects(feed, counts, rejected);
        excepts(feed, reading);
        holds(feed, counts);
        if (before.isPresent()) {
            shrinkage(feed, counts.entries(), before.get().entries());
            growth(feed, counts.entries(), before.get().entries());
        }
    }

    private static String keyless(Feed feed, FeedCounts counts) {
        if (counts.held() > 0) {
            return String.format(
                    Locale.ROOT,
                    "holds no key: %,d lines, every entry held back%s",
                    counts.lines(),
                    counts.rejects() > 0 ? " or rejected" : "");
        }
        if (counts.rejects() > 0) {
            return String.format(
                    Locale.ROOT,
                    "holds no key: %,d lines, none fits %s",
                    counts.lines(),
                    feed.format().label());
        }
        return String.format(Locale.ROOT, "holds no key: %,d lines, no entry among them", counts.lines());
    }

    private static String likeness(Feed feed, List<FeedReport.Example> rejected) {
        return FormatLikeness.of(
                        rejected.stream().map(FeedReport.Example::excerpt).toList())
                .filter(format -> format != feed.format())
                .map(format -> "; the lines look like format " + format.label())
                .orElse("");
    }

    private static String shown(List<FeedReport.Example> rejected) {
        return rejected.stream()
                .limit(SHOWN)
                .map(one -> "; line " + one.line() + ": " + one.reason() + ": " + one.excerpt())
                .collect(Collectors.joining());
    }

    /// Lines that are of the format and mean what no listing can carry say nothing against the list.
    private void rejects(Feed feed, FeedCounts counts, List<FeedReport.Example> rejected) throws FeedRefusedException {
        double bound = feed.bounds().maxRejectShare().orElse(options.bounds().maxRejectShare());
        long meant = counts.lines() - counts.comments();
        long misread = counts.rejects() - counts.unsupported();
        if (misread > bound * meant) {
            close(
                    feed,
                    String.format(
                                    Locale.ROOT,
                                    "%d of %d lines rejected, more than maxRejectShare %s: is the format really %s?",
                                    misread,
                                    meant,
                                    bound,
                                    feed.format().label())
                            + likeness(feed, rejected)
                            + shown(rejected));
        }
    }

    /// Not a bound to be forced: what a list takes back is not to be listed, and a manifest holds no more.
    private void excepts(Feed feed, FeedReading reading) throws FeedRefusedException {
        int most = ManifestFeed.FULL_FEEDS * ManifestFeed.MAX_EXCEPTIONS;
        exceptions.remove(feed.name());
        int others = exceptions.values().stream().mapToInt(Integer::intValue).sum();
        if (reading.hasTooManyExceptions()) {
            throw new FeedRefusedException(
                    feed,
                    "holds more than " + ManifestFeed.MAX_EXCEPTIONS + " exceptions, or more than "
                            + ManifestFeed.MAX_EXCEPTION_CHARS + " characters of them");
        }
        if (others + reading.exceptions().size() > most) {
            throw new FeedRefusedException(
                    feed, "the feeds of layer " + feed.cadence().layer() + " hold more than " + most + " exceptions");
        }
        exceptions.put(feed.name(), reading.exceptions().size());
    }

    private void holds(Feed feed, FeedCounts counts) throws FeedRefusedException {
        double bound = feed.bounds().maxHoldShare().orElse(options.bounds().maxHoldShare());
        long meant = counts.lines() - counts.comments();
        if (counts.held() >= FEW && counts.held() > bound * meant) {
            close(
                    feed,
                    String.format(
                            Locale.ROOT,
                            "%d of %d entries held back, more than maxHoldShare %s: is it a list of popular sites?",
                            counts.held(),
                            meant,
                            bound));
        }
    }

    private void shrinkage(Feed feed, long entries, long before) throws FeedRefusedException {
        double bound = feed.bounds().maxShrinkShare().orElse(options.bounds().maxShrinkShare());
        long lost = before - entries;
        if (lost >= FEW && lost > bound * before) {
            close(
                    feed,
                    String.format(
                            Locale.ROOT,
                            "shrank from %d to %d entries, by more than maxShrinkShare %s; if that is meant, rebuild --force",
                            before,
                            entries,
                            bound));
        }
    }

    /// A feed that was empty in the previous snapshot is new and may have any size.
    private void growth(Feed feed, long entries, long before) throws FeedRefusedException {
        double bound = feed.bounds().maxGrowthShare().orElse(options.bounds().maxGrowthShare());
        long won = entries - before;
        if (before > 0 && won >= FEW_NEW && won > bound * before) {
            close(
                    feed,
                    String.format(
                            Locale.ROOT,
                            "grew from %d to %d entries, by more than maxGrowthShare %s; if that is meant, rebuild --force",
                            before,
                            entries,
                            bound));
        }
    }

    private void close(Feed feed, String reason) throws FeedRefusedException {
        Optional<String> closed = gates.closedBy("feed " + feed.name() + ": " + reason);
        if (closed.isPresent()) {
            throw new FeedRefusedException(feed, reason);
        }
    }
}
