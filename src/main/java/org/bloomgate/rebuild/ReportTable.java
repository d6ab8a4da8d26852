package org.bloomgate.rebuild;

import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.bloomgate.feed.FeedCounts;

/// A [RebuildReport] as text for a terminal: what happened, feed by feed, kind by kind, and how long it took.
public final class ReportTable {
    private static final double MIB = 1 << 20;

    private final StringBuilder out = new StringBuilder();

    private ReportTable() {}

    /// Several lines, each ended by a line feed.
    public static String of(RebuildReport report) {
        ReportTable table = new ReportTable();
        table.headline(report);
        table.feeds(report.feeds());
        table.changes(report.changes());
        table.kinds(report.kinds());
        table.examples(report.feeds());
        if (report.outcome().isDryRun()) {
            table.changedKeys(report.changes());
        }
        table.ending(report);
        return table.out.toString();
    }

    private void headline(RebuildReport report) {
        out.append("layer ")
                .append(report.layer())
                .append(": ")
                .append(report.outcome().label());
        report.generation().ifPresent(id -> out.append(", generation ").append(id));
        report.previousGeneration().ifPresent(id -> out.append(", before it ").append(id));
        out.append('\n');
        report.closedGate().ifPresent(why -> line("gate closed: " + why));
        report.forced().forEach(gate -> line("gate forced open: " + gate));
        report.failedFeeds()
                .forEach(feed -> line("feed " + feed.name() + " failed, " + instead(feed) + ": "
                        + feed.failure().orElse("")));
        report.warnings().forEach(warning -> line("warning: " + warning));
    }

    private static String instead(FeedReport feed) {
        return switch (feed.from()) {
            case SOURCE, NOT_MODIFIED -> "taken all the same";
            case LAST_GOOD_COPY ->
                "its last good copy is used"
                        + feed.seen()
                                .map(seen -> ", of " + seen.truncatedTo(ChronoUnit.SECONDS))
                                .orElse("");
            case NOTHING -> "nothing of it is listed";
        };
    }

    private void feeds(List<FeedReport> feeds) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("feed", "from", "lines", "entries", "comments", "rejects", "held", "keys", "seconds"));
        for (FeedReport feed : feeds) {
            FeedCounts counts = feed.counts();
            rows.add(List.of(
                    feed.name(),
                    feed.from().label(),
                    count(counts.lines()),
                    count(counts.entries()),
                    count(counts.comments()),
                    count(counts.rejects()),
                    count(counts.held()),
                    count(counts.keys()),
                    String.format(Locale.ROOT, "%.1f", feed.seconds())));
        }
        rows(rows, 2);
    }

    private void changes(List<FeedChange> changes) {
        if (changes.isEmpty()) {
            return;
        }
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("feed", "before", "added", "removed", "retained"));
        for (FeedChange feed : changes) {
            rows.add(List.of(
                    feed.feed(),
                    count(feed.before()),
                    count(feed.added()),
                    count(feed.removed()),
                    count(feed.retained())));
        }
        rows(rows, 1);
    }

    private void kinds(List<KindReport> kinds) {
        if (kinds.isEmpty()) {
            return;
        }
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("kind", "keys", "added", "removed", "filter MiB", "design rate", "predicted rate"));
        for (KindReport kind : kinds) {
            rows.add(List.of(
                    kind.kind().label(),
                    count(kind.keys()),
                    count(kind.added()),
                    count(kind.removed()),
                    String.format(Locale.ROOT, "%.2f", kind.filterBytes() / MIB),
                    String.format(Locale.ROOT, "%.1e", kind.designRate()),
                    String.format(Locale.ROOT, "%.1e", kind.predictedRate())));
        }
        rows(rows, 1);
    }

    private void examples(List<FeedReport> feeds) {
        for (FeedReport feed : feeds) {
            feed.rejects().forEach(one -> example(feed, "rejected", one));
            feed.held().forEach(one -> example(feed, "held", one));
        }
    }

    private void changedKeys(List<FeedChange> changes) {
        for (FeedChange feed : changes) {
            feed.addedKeys().forEach(key -> line(feed.feed() + " adds " + key));
            feed.removedKeys().forEach(key -> line(feed.feed() + " removes " + key));
        }
    }

    private void example(FeedReport feed, String what, FeedReport.Example one) {
        line(feed.name() + ":" + one.line() + " " + what + ", " + one.reason() + ": " + one.excerpt());
    }

    private void blast(BlastReport blast) {
        line(String.format(
                Locale.ROOT,
                "blast radius: %,d of %,d mails delivered in the last day hold a key listed anew%s",
                blast.listed(),
                blast.mails(),
                blast.overlooked() == 0 ? "" : ", at least"));
        for (BlastReport.OfFeed feed : blast.feeds()) {
            line(String.format(Locale.ROOT, "%s would have stopped %,d mails", feed.feed(), feed.mails()));
            feed.examples()
                    .forEach(mail -> line(
                            feed.feed() + " lists " + mail.key() + ", in " + mail.token() + " of " + mail.delivered()));
        }
    }

    private void ending(RebuildReport report) {
        report.blast().ifPresent(this::blast);
        report.proof().ifPresent(proof -> line("proof: " + proof.inWords()));
        String stages = report.stages().stream()
                .map(time ->
                        String.format(Locale.ROOT, "%s %.1f s", time.stage().label(), time.seconds()))
                .collect(Collectors.joining(", "));
        line(stages + String.format(Locale.ROOT, "; peak heap %.0f MiB", report.peakHeapBytes() / MIB));
    }

    /// @param left number of columns that are text and aligned left
    private void rows(List<List<String>> rows, int left) {
        int columns = rows.getFirst().size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        for (List<String> row : rows) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                String padding = " ".repeat(widths[i] - row.get(i).length());
                text.append(i == 0 ? "" : "  ").append(i < left ? row.get(i) + padding : padding + row.get(i));
            }
            line(text.toString().stripTrailing());
        }
    }

    private static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private void line(String text) {
        out.append(text).append('\n');
    }
}
