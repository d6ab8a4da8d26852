package org.bloomgate.app.cli.rebuild;

import java.io.IOException;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.bloomgate.app.cli.common.ConfiguredCommand;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.cli.common.InputException;
import org.bloomgate.app.cli.common.LimitOption;
import org.bloomgate.app.cli.common.Printable;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.lists.fetch.Cadence;
import org.bloomgate.lists.snapshot.PastRebuild;
import org.bloomgate.lists.snapshot.RebuildHistory;
import org.bloomgate.server.http.AnswerJson;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The command `history`: shows past rebuilds and rollbacks.
@Command(
        name = "history",
        description = {
            "Shows rebuilds and rollbacks, newest first, and how each ended.",
            "For each: the generation it published, and the number of listings added and removed by "
                    + "feed. Rebuilds that were not due are left out.",
            "'rollback GENERATION' goes back to one that still exists."
        })
public final class HistoryCommand extends ConfiguredCommand {
    private static final int MAX_LIMIT = 10_000;

    @Option(names = "--layer", paramLabel = "LAYER", description = "nightly, hourly or minutes (default: all).")
    Optional<Cadence> layer = Optional.empty();

    @Mixin
    LimitOption limit;

    @Option(names = "--json", description = "Print one JSON object per line.")
    boolean json;

    @Override
    public Integer call() throws ConfigException, InputException, IOException {
        List<PastRebuild> rebuilds = new RebuildHistory(configuration.read().snapshots())
                .find(layer.map(Cadence::layer), limit.require(MAX_LIMIT));
        rebuilds.forEach(rebuild -> out().println(json ? AnswerJson.line(rebuild) : text(rebuild)));
        if (rebuilds.isEmpty()) {
            remark("no rebuild is recorded");
        }
        limit.remarkIfReached(rebuilds.size()).ifPresent(this::remark);
        return ExitStatus.FINE;
    }

    /// `TIME  LAYER  OUTCOME  GENERATION after PREVIOUS  +ADDED -REMOVED in SECONDS s  REASON`, then a line for
    /// each feed.
    private static String text(PastRebuild one) {
        StringBuilder text = new StringBuilder(
                "%s  %-7s  %s".formatted(one.time().truncatedTo(ChronoUnit.SECONDS), one.layer(), one.outcome()));
        if (!one.generation().isEmpty()) {
            text.append("  ").append(one.generation());
        }
        if (!one.previous().isEmpty()) {
            text.append(" after ").append(one.previous());
        }
        if (one.seconds() > 0) {
            text.append(String.format(Locale.ROOT, "  +%,d -%,d in %.1f s", one.added(), one.removed(), one.seconds()));
        }
        if (!one.reason().isEmpty()) {
            text.append("  ").append(Printable.of(one.reason()));
        }
        for (PastRebuild.FeedSummary feed : one.feeds()) {
            text.append(String.format(
                            Locale.ROOT,
                            "%n    %s  +%,d -%,d",
                            Printable.of(feed.feed()),
                            feed.added(),
                            feed.removed()))
                    .append(feed.failure().isEmpty() ? "" : "  " + Printable.of(feed.failure()));
        }
        return text.toString();
    }
}
