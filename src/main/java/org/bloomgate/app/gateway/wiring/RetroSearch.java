package org.bloomgate.app.gateway.wiring;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.base.io.IoText;
import org.bloomgate.lists.layer.RebuildOutcome;
import org.bloomgate.lists.layer.RebuildReport;
import org.bloomgate.lists.layer.RetroReport;
import org.bloomgate.lists.report.Retro;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// The search of delivered mail for newly listed keys after a rebuild, enabled by `rebuild.retro`. A failure is only
/// a warning in the report of the rebuild.
public final class RetroSearch {
    private static final Logger LOG = LoggerFactory.getLogger(RetroSearch.class);

    /// The default period of the command `retro`.
    private static final Duration MAX_AGE = Duration.ofDays(7);

    private RetroSearch() {}

    /// Searches if the rebuild published a snapshot, and returns the report with the result.
    public static RebuildReport after(RebuildReport report, Configuration configuration) {
        if (!configuration.rebuild().retro() || !hasPublished(report)) {
            return report;
        }
        try {
            Instant since = Instant.now().minus(MAX_AGE);
            Optional<RetroReport> result = search(Rebuilding.retro(configuration), since);
            result.ifPresent(retro -> log(report.layer(), retro));
            return result.map(report::with).orElse(report);
        } catch (IOException e) {
            LOG.warn("retro after the rebuild of layer {} failed: {}", report.layer(), IoText.describe(e));
            return report.withWarning("retro failed: " + e);
        }
    }

    private static boolean hasPublished(RebuildReport report) {
        return report.outcome() == RebuildOutcome.PUBLISHED
                || report.outcome() == RebuildOutcome.PUBLISHED_WITH_FAILED_FEEDS;
    }

    private static Optional<RetroReport> search(Retro retro, Instant since) throws IOException {
        List<RetroReport.Example> examples = new ArrayList<>();
        Optional<Retro.Coverage> coverage = retro.findListed(since, mail -> {
            if (examples.size() < RetroReport.MAX_EXAMPLES) {
                examples.add(example(mail));
            }
        });
        return coverage.map(searched -> new RetroReport(
                since,
                searched.tally().mails(),
                searched.tally().holding(),
                searched.tally().overlooked(),
                searched.unreadable() + searched.tally().damaged(),
                examples));
    }

    private static RetroReport.Example example(Retro.Message mail) {
        return new RetroReport.Example(
                mail.token(),
                mail.delivered(),
                mail.listings().stream()
                        .map(listing -> listing.feed() + " lists " + listing.key())
                        .toList());
    }

    private static void log(String layer, RetroReport retro) {
        LOG.atLevel(retro.holding() > 0 ? Level.WARN : Level.INFO)
                .log(
                        "retro after the rebuild of layer {}: {} of {} messages contain a key listed since; 'bloomgate retro'"
                                + " names them",
                        layer,
                        retro.holding(),
                        retro.mails());
    }
}
