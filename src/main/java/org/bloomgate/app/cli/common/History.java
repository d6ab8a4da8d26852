package org.bloomgate.app.cli.common;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Optional;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.base.io.IoText;
import org.bloomgate.lists.layer.HistoryLine;
import org.bloomgate.lists.layer.RebuildOutcome;
import org.bloomgate.lists.layer.RebuildReport;
import org.bloomgate.lists.snapshot.PastRebuild;
import org.bloomgate.lists.snapshot.RebuildHistory;

/// Records rebuilds of commands in the rebuild history. A failure to record is only reported, because the
/// rebuild is already published.
public record History(RebuildHistory history, PrintWriter err) {

    public static History of(Configuration configuration, PrintWriter err) {
        return new History(new RebuildHistory(configuration.snapshots()), err);
    }

    /// Adds the outcome of a rebuild. A layer that was not due is only recorded after a rebuild that failed: the
    /// history then shows that the fault is gone.
    public void add(RebuildReport report) {
        if (report.outcome() != RebuildOutcome.NOT_DUE || lastFailed(report.layer())) {
            add(HistoryLine.of(report, Instant.now()));
        }
    }

    private boolean lastFailed(String layer) {
        history.refresh();
        return Optional.ofNullable(history.findLastRebuilds().get(layer)).stream()
                .anyMatch(last -> last.outcome().equals(PastRebuild.FAILED));
    }

    public void add(PastRebuild rebuild) {
        try {
            history.add(rebuild);
        } catch (IOException e) {
            err.println("bloomgate: warning: not in the history of rebuilds: " + IoText.describe(e));
        }
    }
}
