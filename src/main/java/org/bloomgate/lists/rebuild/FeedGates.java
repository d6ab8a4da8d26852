package org.bloomgate.lists.rebuild;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedCounts;
import org.bloomgate.lists.fetch.FeedRefusedException;
import org.bloomgate.lists.format.FormatLikeness;
import org.bloomgate.lists.layer.FeedReport;
import org.bloomgate.lists.layer.RebuildOptions;
import org.bloomgate.lists.snapshot.ManifestFeed;

/// The gates that a whole feed has to pass, each with a bound of its own or the common one.
final class FeedGates {
    /// Fewer entries held back or lost are a manual correction, whatever their share: otherwise every second
    /// line of a short list would close its gate.
    static final int FEW = 5;

    /// Fewer new entries are normal for a day, whatever their share.
    static final int FEW_NEW = 100;

    /// The number of lines that the reason shows.
    private static final int SHOWN = 3;

    private final RebuildOptions options;
    private final ForcedGates gates;

    /// The number of exceptions of each feed that passed.
    private final Map<String, Integer> exceptions = new HashMap<>();

    FeedGates(RebuildOptions options, ForcedGates gates) {
        this.options = options;
        this.gates = gates;
    }

    /// @param before the feed in the previous snapshot; empty for a last good copy, which may be of any age
    /// @throws FeedRefusedException naming the bound that is exceeded
    void check(Feed feed, FeedReading reading, Optional<ManifestFeed> before) throws FeedRefusedException {
        FeedCounts counts = reading.counts();
        List<FeedReport.Example> rejected = reading.rejected();
        if (counts.keys() == 0) {
            close(
                    feed,
                    describeMissingKeys(feed, counts)
                            + describeLikeness(feed, rejected)
                            + describeExamples(rejected)
                            + describeExamples(reading.heldBack()));
        }
        checkRejects(feed, counts, rejected);
        checkExceptions(feed, reading);
        checkHeldBack(feed, counts);
        if (before.isPresent()) {
            checkShrinkage(feed, counts.keys(), before.get().keys());
            checkGrowth(feed, counts.keys(), before.get().keys());
        }
    }

    private static String describeMissingKeys(Feed feed, FeedCounts counts) {
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

    private static String describeLikeness(Feed feed, List<FeedReport.Example> rejected) {
        return FormatLikeness.of(
                        rejected.stream().map(FeedReport.Example::excerpt).toList())
                .filter(format -> format != feed.format())
                .map(format -> "; the lines look like format " + format.label())
                .orElse("");
    }

    private static String describeExamples(List<FeedReport.Example> examples) {
        return examples.stream()
                .limit(SHOWN)
                .map(example -> "; line " + example.line() + ": " + example.reason() + ": " + example.excerpt())
                .collect(Collectors.joining());
    }

    /// Lines of the format that no listing can express do not count as rejected.
    private void checkRejects(Feed feed, FeedCounts counts, List<FeedReport.Example> rejected)
            throws FeedRefusedException {
        double bound = feed.bounds().maxRejectShare().orElse(options.bounds().maxRejectShare());
        long lines = counts.lines() - counts.comments();
        long unreadable = counts.rejects() - counts.unsupported();
        if (unreadable > bound * lines) {
            close(
                    feed,
                    String.format(
                                    Locale.ROOT,
                                    "%d of %d lines rejected, more than maxRejectShare %s: is the format really %s?",
                                    unreadable,
                                    lines,
                                    bound,
                                    feed.format().label())
                            + describeLikeness(feed, rejected)
                            + describeExamples(rejected));
        }
    }

    /// Force does not override this bound: excepted keys must not be listed, and a manifest contains no more.
    private void checkExceptions(Feed feed, FeedReading reading) throws FeedRefusedException {
        int limit = ManifestFeed.FULL_FEEDS * ManifestFeed.MAX_EXCEPTIONS;
        exceptions.remove(feed.name());
        int others = exceptions.values().stream().mapToInt(Integer::intValue).sum();
        if (reading.hasTooManyExceptions()) {
            throw new FeedRefusedException(
                    feed,
                    "has more than " + ManifestFeed.MAX_EXCEPTIONS + " exceptions, or more than "
                            + ManifestFeed.MAX_EXCEPTION_CHARS + " characters of them");
        }
        if (others + reading.exceptions().size() > limit) {
            throw new FeedRefusedException(
                    feed, "the feeds of layer " + feed.cadence().layer() + " have more than " + limit + " exceptions");
        }
        exceptions.put(feed.name(), reading.exceptions().size());
    }

    private void checkHeldBack(Feed feed, FeedCounts counts) throws FeedRefusedException {
        double bound = feed.bounds().maxHoldShare().orElse(options.bounds().maxHoldShare());
        long lines = counts.lines() - counts.comments();
        if (counts.held() >= FEW && counts.held() > bound * lines) {
            close(
                    feed,
                    String.format(
                            Locale.ROOT,
                            "%d of %d entries held back, more than maxHoldShare %s: is it a list of popular sites?",
                            counts.held(),
                            lines,
                            bound));
        }
    }

    private void checkShrinkage(Feed feed, long keys, long before) throws FeedRefusedException {
        double bound = feed.bounds().maxShrinkShare().orElse(options.bounds().maxShrinkShare());
        long lost = before - keys;
        if (lost >= FEW && lost > bound * before) {
            close(
                    feed,
                    String.format(
                            Locale.ROOT,
                            "shrank from %d to %d keys, by more than maxShrinkShare %s; if this is intended, rebuild --force",
                            before,
                            keys,
                            bound));
        }
    }

    /// The keys count, as a line may become many. A feed that was empty in the previous snapshot is new and may have
    /// any size.
    private void checkGrowth(Feed feed, long keys, long before) throws FeedRefusedException {
        double bound = feed.bounds().maxGrowthShare().orElse(options.bounds().maxGrowthShare());
        long added = keys - before;
        if (before > 0 && added >= FEW_NEW && added > bound * before) {
            close(
                    feed,
                    String.format(
                            Locale.ROOT,
                            "grew from %d to %d keys, by more than maxGrowthShare %s; if this is intended, rebuild --force",
                            before,
                            keys,
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
