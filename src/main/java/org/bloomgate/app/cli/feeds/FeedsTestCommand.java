package org.bloomgate.app.cli.feeds;

import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.app.cli.common.ConfiguredCommand;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.cli.common.InputException;
import org.bloomgate.app.cli.common.Printable;
import org.bloomgate.app.cli.common.ProgressLine;
import org.bloomgate.app.cli.common.Version;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.app.gateway.wiring.Rebuilding;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedCounts;
import org.bloomgate.lists.fetch.Feeds;
import org.bloomgate.lists.fetch.SourceFiles;
import org.bloomgate.lists.layer.FeedReport;
import org.bloomgate.lists.layer.RebuildReport;
import org.bloomgate.lists.layer.ReportJson;
import org.bloomgate.lists.rebuild.Rebuild;
import org.bloomgate.lists.rebuild.RebuildPlan;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The command `feeds test`: a dry run of the rebuild of one feed.
@Command(
        name = "test",
        description = {
            "Fetches, reads and checks a list without publishing it.",
            "The same as 'rebuild --dry-run --feed NAME' with a short summary, also for a paused feed. The other feeds of"
                    + " its layer come from their last good copies.",
            "Status 1: a gate would hold the list; 2: no such list; 3: not reachable."
        })
final class FeedsTestCommand extends ConfiguredCommand {
    private static final int MAX_EXAMPLES = 3;

    @Parameters(paramLabel = "NAME", description = "A feed of 'feeds list'.")
    String name = "";

    @Option(names = "--json", description = "Print the report of the rebuild as one JSON object.")
    boolean json;

    @Override
    public Integer call() throws ConfigException, IOException, InputException {
        Configuration read = configuration.read();
        Optional<String> mirrored = read.mirrored("test");
        if (mirrored.isPresent()) {
            throw new InputException(mirrored.get());
        }
        Feeds feeds = configuration.allFeeds(read);
        Feed feed = FeedsCommand.requireFeed(name, feeds);
        if (feed.queriedZone().isPresent()) {
            throw new InputException(
                    name + ": a list in DNS is not fetched; the gateway tests its zone, see /v1/status");
        }
        RebuildReport report;
        try (ProgressLine progress =
                ProgressLine.on(err()::println, feed.cadence().layer())) {
            report = Rebuilding.of(read, feeds.fetched(), Version.text())
                    .run(
                            feed.cadence(),
                            feeds.fetched().feeds(),
                            new RebuildPlan.FromFeeds(Set.of(name), Rebuild.Mode.DRY_RUN),
                            progress);
        }
        if (json) {
            out().println(ReportJson.of(report));
        }
        int status = ExitStatus.FINE;
        for (FeedReport result : report.feeds()) {
            if (result.name().equals(name) || SourceFiles.isFileOf(feed, result.name())) {
                status = Math.max(status, status(result, report));
                if (!json) {
                    show(result, report);
                }
            }
        }
        return status;
    }

    /// Includes closed gates of the layer: with this list nothing would be published.
    private static int status(FeedReport feed, RebuildReport report) {
        if (feed.failure().isPresent() && feed.refused().isEmpty()) {
            return ExitStatus.UNKNOWN;
        }
        return feed.failure().or(report::closedGate).isPresent() ? ExitStatus.LISTED : ExitStatus.FINE;
    }

    private void show(FeedReport feed, RebuildReport report) {
        FeedCounts counts = feed.refused().map(FeedReport.Refused::counts).orElse(feed.counts());
        String result = switch (status(feed, report)) {
            case ExitStatus.FINE -> "fine";
            case ExitStatus.LISTED -> "held";
            default -> "not reachable";
        };
        out().println(String.format(
                Locale.ROOT,
                "%s: %s: %,d lines, %,d entries, %,d rejected, %,d held back, %.1f s; nothing was published",
                feed.name(),
                result,
                counts.lines(),
                counts.entries(),
                counts.rejects(),
                counts.held(),
                feed.seconds()));
        feed.failure().or(report::closedGate).ifPresent(why -> out().println("  " + Printable.of(why)));
        feed.rejects().stream().limit(MAX_EXAMPLES).forEach(example -> example("rejected", example));
        feed.held().stream().limit(MAX_EXAMPLES).forEach(example -> example("held back", example));
    }

    private void example(String what, FeedReport.Example example) {
        out().println("  line " + example.line() + " " + what + ", " + example.reason() + ": " + example.excerpt());
    }
}
