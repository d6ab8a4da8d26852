package org.bloomgate.app.cli.feeds;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.bloomgate.app.cli.common.ConfigurationOptions;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.cli.common.InputException;
import org.bloomgate.app.cli.common.SinceOptions;
import org.bloomgate.app.cli.common.TextTable;
import org.bloomgate.app.cli.common.TextTable.Column;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.app.gateway.options.FeedsFolder;
import org.bloomgate.app.gateway.wiring.Rebuilding;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.Feeds;
import org.bloomgate.lists.report.FeedRow;
import org.bloomgate.lists.report.FeedsReport;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.server.http.AnswerJson;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// The command `feeds`: finds, adds, tests, lists, exports and reports feeds.
@Command(
        name = "feeds",
        description = "Finds, adds, tests, lists, exports and reports feeds.",
        subcommands = {
            FeedsCatalogueCommand.class,
            FeedsAddCommand.class,
            FeedsDetectCommand.class,
            FeedsTestCommand.class,
            FeedsListCommand.class,
            FeedsExportCommand.class,
        },
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true)
public final class FeedsCommand {
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
            name = "pause",
            description = {
                "Leaves a list out of the next generation.",
                "Its name is kept in feeds.d/paused. A list in DNS is not queried after the next reload (SIGHUP)."
            },
            mixinStandardHelpOptions = true)
    int pause(@Mixin ConfigurationOptions options, @Parameters(paramLabel = "NAME") String name)
            throws ConfigException, IOException, InputException {
        return setPaused(options, name, true);
    }

    @Command(
            name = "resume",
            description = "Includes a paused list again, with the next generation.",
            mixinStandardHelpOptions = true)
    int resume(@Mixin ConfigurationOptions options, @Parameters(paramLabel = "NAME") String name)
            throws ConfigException, IOException, InputException {
        return setPaused(options, name, false);
    }

    private int setPaused(ConfigurationOptions options, String name, boolean paused)
            throws ConfigException, IOException, InputException {
        Configuration configuration = options.read();
        requireFeed(name, options.allFeeds(configuration));
        boolean changed = FeedsFolder.of(configuration).setPaused(name, paused);
        spec.commandLine()
                .getOut()
                .println(name
                        + (changed ? ": " : " already: ")
                        + (paused ? "left out of the next generation" : "included in the next generation"));
        return ExitStatus.FINE;
    }

    @Command(
            name = "remove",
            description = {
                "Deletes the file of a list in feeds.d, or prints the lines of the feeds file to delete.",
                "The feeds file is never rewritten. The list is gone with the next generation."
            },
            mixinStandardHelpOptions = true)
    int remove(@Mixin ConfigurationOptions options, @Parameters(paramLabel = "NAME") String name)
            throws ConfigException, IOException, InputException {
        Configuration configuration = options.read();
        requireFeed(name, options.allFeeds(configuration));
        FeedsFolder folder = FeedsFolder.of(configuration);
        Path file = folder.file(name);
        if (folder.remove(name)) {
            folder.setPaused(name, false);
            spec.commandLine().getOut().println("deleted " + file);
        } else {
            spec.commandLine().getOut().println("delete these lines of " + folder.feeds() + ":");
            folder.lines(name).forEach(spec.commandLine().getOut()::println);
        }
        return ExitStatus.FINE;
    }

    /// The feed with this name.
    ///
    /// @throws InputException if there is no such feed
    static Feed requireFeed(String name, Feeds feeds) throws InputException {
        return feeds.feeds().stream()
                .filter(feed -> feed.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new InputException("no such feed: " + name + "; 'bloomgate feeds list' shows them"));
    }

    @Command(
            name = "report",
            description = {
                "Prints for each feed what it lists now and what it hit in mail.",
                "Entries, entries of no other feed, messages decided by action, hits, hits of no other feed, hits while it"
                        + " was in shadow, hits that an exception overrode, errors (values that an exception with"
                        + " --token or a release excepted), hits on entries that the feed has dropped"
                        + " since, and the median age of a listing when it hit.",
                "Refuted is the share of the suspects of its filters, which it shares with others, that the exact tier"
                        + " did not list; bytes and seconds are the cost of the last fetch and read.",
                "Reads the snapshots and the journal of this machine; changes nothing."
            },
            mixinStandardHelpOptions = true)
    int report(
            @Mixin ConfigurationOptions options,
            @Option(
                            names = "--since",
                            paramLabel = "AGE",
                            defaultValue = "30d",
                            converter = SinceOptions.Age.class,
                            description = "Period to look back (default: ${DEFAULT-VALUE}), at most journal.keepDays.")
                    Duration age,
            @Option(names = "--json", description = "Print one JSON object per line, one for each feed.") boolean json)
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
                        ? "no decision is recorded on this machine since then, so hits are unknown"
                        : "%,d decisions, %,d suspects".formatted(report.decisions(), report.suspects()));
        if (report.unreadable() > 0) {
            remarks.add("%,d lines of the journal cannot be read".formatted(report.unreadable()));
        }
        if (report.untold() > 0) {
            remarks.add("for %,d hits it is unknown whether they are still listed".formatted(report.untold()));
        }
        return remarks;
    }

    /// The feed with the most keys in common, with their share of the entries.
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
