package org.bloomgate.app.cli;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.bloomgate.app.cli.TextTable.Column;
import org.bloomgate.app.gateway.Configuration;
import org.bloomgate.app.gateway.Rebuilding;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.lists.report.FeedRow;
import org.bloomgate.lists.report.FeedsReport;
import org.bloomgate.lookup.lookup.Action;
import org.bloomgate.server.http.AnswerJson;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `feeds report`: what each feed is worth.
@Command(
        name = "feeds",
        description = "Reports how useful each feed is (report) and writes lists for others (export).",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = FeedsExportCommand.class,
        mixinStandardHelpOptions = true)
final class FeedsCommand {
    private static final List<Column<FeedRow>> COLUMNS = List.of(
            Column.word("feed", FeedRow::feed),
            Column.word("category", FeedRow::category),
            Column.count("entries", FeedRow::entries),
            Column.count("exclusive", FeedRow::exclusiveEntries),
            Column.word("shares most with", FeedsCommand::closest),
            Column.count("rejected", row -> row.messages(Action.REJECT)),
            Column.count("quarantined", row -> row.messages(Action.QUARANTINE)),
            Column.count("deferred", row -> row.messages(Action.DEFER)),
            Column.count("discarded", row -> row.messages(Action.DISCARD)),
            Column.count("tagged", row -> row.messages(Action.TAG)),
            Column.count("hits", FeedRow::hits),
            Column.count("exclusive hits", FeedRow::exclusiveHits),
            Column.count("shadow hits", FeedRow::shadowHits),
            Column.count("overridden", FeedRow::overridden),
            Column.count("errors", FeedRow::errors),
            Column.count("dropped", FeedRow::dropped),
            Column.word("median age", FeedsCommand::age),
            Column.word("refuted", FeedsCommand::refuted),
            Column.word(
                    "bytes",
                    row -> row.bytes().isPresent() ? "%,d".formatted(row.bytes().getAsLong()) : "-"),
            Column.word(
                    "seconds",
                    row -> row.seconds().isPresent()
                            ? "%.1f".formatted(row.seconds().getAsDouble())
                            : "-"));

    @Spec
    CommandSpec spec;

    @Command(
            name = "report",
            description = {
                "Prints for each feed what it lists now and what it hit in mail.",
                "It lists entries, and those that no other feed lists. It decided messages, by action. It has hits, hits of no other feed, hits while it"
                        + " was on trial (shadow), hits that an"
                        + " exception took back, errors (values that an exception with --token or a release took"
                        + " back), hits on what the feed dropped"
                        + " since, and the median age of a listing when it hit.",
                "Refuted is the share of the suspects of its filters, which it shares with others, that the exact tier"
                        + " did not hold; bytes and seconds are what it took to fetch and read it last.",
                "Reads the snapshots and the journal of this machine; changes nothing."
            },
            mixinStandardHelpOptions = true)
    int report(
            @Mixin ConfigurationOptions options,
            @Option(
                            names = "--since",
                            paramLabel = "AGE",
                            defaultValue = "30d",
                            converter = QuarantineCommand.Age.class,
                            description = "Period to look back (default: ${DEFAULT-VALUE}), at most journal.keepDays.")
                    Duration age,
            @Option(names = "--json", description = "One object a line, for each feed.") boolean json)
            throws ConfigException, IOException {
        Configuration configuration = options.read();
        FeedsReport report = Rebuilding.report(configuration, Instant.now().minus(age));
        List<String> lines = json
                ? report.feeds().stream().map(AnswerJson::line).toList()
                : TextTable.lines(report.feeds(), COLUMNS);
        lines.forEach(spec.commandLine().getOut()::println);
        remarks(report).forEach(remark -> spec.commandLine().getErr().println("bloomgate: " + remark));
        return ExitStatus.FINE;
    }

    private static List<String> remarks(FeedsReport report) {
        List<String> remarks = new ArrayList<>();
        remarks.add(
                report.decisions() == 0
                        ? "not known what the feeds list of this site's mail: this machine has recorded no decision since then"
                        : "%,d decisions, %,d suspects".formatted(report.decisions(), report.suspects()));
        if (report.unreadable() > 0) {
            remarks.add("%,d lines of the journal cannot be read".formatted(report.unreadable()));
        }
        if (report.untold() > 0) {
            remarks.add("for %,d hits it is unknown whether they are still listed".formatted(report.untold()));
        }
        return remarks;
    }

    /// The feed that holds most of the same keys, with its share of the entries.
    private static String closest(FeedRow row) {
        return row.overlap().entrySet().stream()
                .max(Map.Entry.<String, Long>comparingByValue()
                        .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
                .map(other -> other.getKey() + " " + 100 * other.getValue() / row.entries() + " %")
                .orElse("-");
    }

    private static String refuted(FeedRow row) {
        return row.suspects() == 0 ? "-" : "%.1f %%".formatted(100.0 * row.refuted() / row.suspects());
    }

    private static String age(FeedRow row) {
        return row.medianAgeHours().isPresent() ? row.medianAgeHours().getAsLong() + " h" : "-";
    }
}
