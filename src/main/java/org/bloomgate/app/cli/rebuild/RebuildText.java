package org.bloomgate.app.cli.rebuild;

import static org.bloomgate.app.cli.common.TextTable.Column.count;
import static org.bloomgate.app.cli.common.TextTable.Column.word;

import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.bloomgate.app.cli.common.Printable;
import org.bloomgate.app.cli.common.TextTable;
import org.bloomgate.app.cli.common.TextTable.Column;
import org.bloomgate.lists.fetch.FeedCounts;
import org.bloomgate.lists.layer.BlastReport;
import org.bloomgate.lists.layer.FeedReport;
import org.bloomgate.lists.layer.RebuildOutcome;
import org.bloomgate.lists.layer.RebuildReport;
import org.bloomgate.lists.layer.RebuildReport.FeedChange;
import org.bloomgate.lists.layer.RebuildReport.KindReport;
import org.bloomgate.lists.layer.RetroReport;

/// Formats a [RebuildReport] for a terminal: the outcome, the feeds, the kinds, and the duration.
public final class RebuildText {
    private static final double MIB = 1 << 20;

    private static final List<Column<FeedReport>> FEEDS = List.of(
            word("feed", FeedReport::name),
            word("from", feed -> feed.from().label()),
            count("lines", feed -> feed.counts().lines()),
            count("entries", feed -> feed.counts().entries()),
            count("comments", feed -> feed.counts().comments()),
            count("rejects", feed -> feed.counts().rejects()),
            count("held", feed -> feed.counts().held()),
            count("keys", feed -> feed.counts().keys()),
            new Column<>("seconds", "%.1f", FeedReport::seconds));

    private static final List<Column<FeedChange>> CHANGES = List.of(
            word("feed", FeedChange::feed),
            count("before", FeedChange::before),
            count("added", FeedChange::added),
            count("removed", FeedChange::removed),
            count("retained", FeedChange::retained));

    private static final List<Column<KindReport>> KINDS = List.of(
            word("kind", kind -> kind.kind().label()),
            count("keys", KindReport::keys),
            count("added", KindReport::added),
            count("removed", KindReport::removed),
            new Column<>("filter MiB", "%.2f", kind -> kind.filterBytes() / MIB),
            new Column<>("design rate", "%.1e", KindReport::designRate),
            new Column<>("predicted rate", "%.1e", KindReport::predictedRate));

    private final List<String> lines = new ArrayList<>();

    private RebuildText() {}

    /// Several lines, each ended by a line feed.
    public static String of(RebuildReport report) {
        RebuildText text = new RebuildText();
        text.headline(report);
        if (!report.feeds().isEmpty()) {
            text.lines.addAll(TextTable.lines(report.feeds(), FEEDS));
        }
        if (!report.changes().isEmpty()) {
            text.lines.addAll(TextTable.lines(report.changes(), CHANGES));
        }
        if (!report.kinds().isEmpty()) {
            text.lines.addAll(TextTable.lines(report.kinds(), KINDS));
        }
        text.examples(report.feeds());
        if (report.outcome().isDryRun()) {
            text.changedKeys(report.changes());
        }
        report.blast().ifPresentOrElse(text::blast, () -> text.noBlast(report));
        report.retro().ifPresent(text::retro);
        report.proof().ifPresent(proof -> text.lines.add("proof: " + proof.describe()));
        if (report.outcome() != RebuildOutcome.NOT_DUE) {
            text.times(report);
        }
        return String.join("\n", text.lines) + "\n";
    }

    private void headline(RebuildReport report) {
        lines.add("layer " + report.layer() + ": " + report.outcome().label()
                + report.generation().map(id -> ", generation " + id).orElse("")
                + report.previousGeneration().map(id -> ", before it " + id).orElse(""));
        report.closedGate().ifPresent(why -> lines.add("gate closed: " + why));
        report.forced().forEach(gate -> lines.add("gate forced open: " + gate));
        report.failedFeeds()
                .forEach(feed -> lines.add("feed " + feed.name() + " failed, " + describeSubstitute(feed) + ": "
                        + feed.failure().orElse("")));
        report.warnings().forEach(warning -> lines.add("warning: " + warning));
    }

    private static String describeSubstitute(FeedReport feed) {
        return switch (feed.from()) {
            case SOURCE, NOT_MODIFIED, NOT_DUE -> "its readable entries are used";
            case LAST_GOOD_COPY ->
                "its last good copy is used"
                        + feed.seen()
                                .map(seen -> ", of " + seen.truncatedTo(ChronoUnit.SECONDS))
                                .orElse("");
            case NOTHING -> "nothing of it is listed";
        };
    }

    private void examples(List<FeedReport> feeds) {
        for (FeedReport feed : feeds) {
            feed.rejects().forEach(example -> example(feed, "rejected", example));
            feed.held().forEach(example -> example(feed, "held", example));
            feed.refused().ifPresent(refused -> refused(feed, refused));
        }
    }

    private void refused(FeedReport feed, FeedReport.Refused refused) {
        FeedCounts counts = refused.counts();
        lines.add(String.format(
                Locale.ROOT,
                "%s: of today %,d lines were read: %,d entries, %,d comments, %,d rejects, %,d held",
                feed.name(),
                counts.lines(),
                counts.entries(),
                counts.comments(),
                counts.rejects(),
                counts.held()));
        refused.rejects().forEach(example -> example(feed, "of today rejected", example));
        refused.held().forEach(example -> example(feed, "of today held", example));
    }

    private void example(FeedReport feed, String what, FeedReport.Example example) {
        lines.add(feed.name() + ":" + example.line() + " " + what + ", " + example.reason() + ": " + example.excerpt());
    }

    private void changedKeys(List<FeedChange> changes) {
        for (FeedChange feed : changes) {
            feed.addedKeys().forEach(key -> lines.add(feed.feed() + " adds " + key));
            feed.removedKeys().forEach(key -> lines.add(feed.feed() + " removes " + key));
        }
    }

    private void noBlast(RebuildReport report) {
        if (!report.kinds().isEmpty()) {
            lines.add("blast radius: not known, as this machine has recorded no mail of the last day");
        }
    }

    private void blast(BlastReport blast) {
        lines.add(String.format(
                Locale.ROOT,
                "blast radius: %,d of %,d messages delivered in the last day contain a newly listed key, %,d of them one that"
                        + " earlier messages contained%s",
                blast.listed(),
                blast.mails(),
                blast.known(),
                blast.overlooked() == 0 ? "" : ", at least"));
        blast.feeds().forEach(feed -> blast(feed, ""));
        blast.held().forEach(feed -> blast(feed, ", held,"));
    }

    private void blast(BlastReport.OfFeed feed, String held) {
        lines.add(String.format(
                Locale.ROOT,
                "%s%s would have stopped %,d messages, %,d of them with a key that earlier messages contained",
                feed.feed(),
                held,
                feed.mails(),
                feed.known()));
        feed.examples()
                .forEach(mail -> lines.add(String.format(
                        Locale.ROOT,
                        "%s lists %s, in %s of %s",
                        feed.feed(),
                        mail.key(),
                        mail.token(),
                        mail.delivered())));
    }

    private void retro(RetroReport retro) {
        lines.add(String.format(
                Locale.ROOT,
                "retro: %,d of %,d messages delivered since %s contain a key listed since%s",
                retro.holding(),
                retro.mails(),
                retro.since().truncatedTo(ChronoUnit.SECONDS),
                retro.overlooked() + retro.unreadable() > 0 ? ", at least" : ""));
        retro.examples()
                .forEach(mail -> lines.add("retro: " + mail.token() + " of " + mail.delivered() + ": "
                        + Printable.of(String.join(", ", mail.listings()))));
    }

    private void times(RebuildReport report) {
        String stages = report.stages().stream()
                .map(time ->
                        String.format(Locale.ROOT, "%s %.1f s", time.stage().label(), time.seconds()))
                .collect(Collectors.joining(", "));
        lines.add(String.format(Locale.ROOT, "%s; peak heap %.0f MiB", stages, report.peakHeapBytes() / MIB));
    }
}
