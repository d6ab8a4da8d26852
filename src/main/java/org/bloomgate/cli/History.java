package org.bloomgate.cli;

import java.io.IOException;
import java.io.PrintWriter;
import org.bloomgate.disk.IoText;
import org.bloomgate.gateway.Configuration;
import org.bloomgate.snapshot.PastRebuild;
import org.bloomgate.snapshot.RebuildHistory;

/// What commands leave in the history of rebuilds. What cannot be kept there is told: the rebuild is made already.
record History(RebuildHistory kept, PrintWriter err) {

    static History of(Configuration configuration, PrintWriter err) {
        return new History(new RebuildHistory(configuration.snapshots()), err);
    }

    void add(PastRebuild rebuild) {
        try {
            kept.add(rebuild);
        } catch (IOException e) {
            err.println("bloomgate: warning: not in the history of rebuilds: " + IoText.told(e));
        }
    }
}
