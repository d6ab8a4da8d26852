package org.bloomgate.app.cli;

import java.io.IOException;
import java.io.PrintWriter;
import org.bloomgate.app.gateway.Configuration;
import org.bloomgate.base.io.IoText;
import org.bloomgate.lists.snapshot.PastRebuild;
import org.bloomgate.lists.snapshot.RebuildHistory;

/// Records rebuilds made by commands. A failure to record is only reported, as the rebuild is already
/// published.
record History(RebuildHistory history, PrintWriter err) {

    static History of(Configuration configuration, PrintWriter err) {
        return new History(new RebuildHistory(configuration.snapshots()), err);
    }

    void add(PastRebuild rebuild) {
        try {
            history.add(rebuild);
        } catch (IOException e) {
            err.println("bloomgate: warning: not in the history of rebuilds: " + IoText.describe(e));
        }
    }
}
