package org.bloomgate.cli;

import java.io.IOException;
import java.time.InstantSource;
import org.bloomgate.config.Configuration;
import org.bloomgate.exact.RocksExactStore;
import org.bloomgate.key.PublicSuffixes;
import org.bloomgate.lookup.LookupCounts;
import org.bloomgate.lookup.TwoTierLookup;
import org.bloomgate.message.MessageReader;
import org.bloomgate.policy.Policy;
import org.bloomgate.snapshot.LayerDirectory;
import org.bloomgate.snapshot.LiveSnapshots;
import org.bloomgate.snapshot.SnapshotReader;

/// The two tiers over the snapshots in force, and what judges with them.
///
/// @param layers adopted when this was opened; a gateway lets them watch for newer ones
record Tiers(LiveSnapshots layers, TwoTierLookup lookup, LookupCounts counts, Policy policy, MessageReader reader)
        implements AutoCloseable {

    static Tiers open(Configuration configuration) {
        LookupCounts counts = new LookupCounts();
        Judging judging = Judging.of(configuration, counts);
        return new Tiers(
                new LiveSnapshots(
                        configuration.snapshots(),
                        new SnapshotReader(),
                        RocksExactStore::open,
                        PublicSuffixes.bundled(),
                        InstantSource.system()),
                judging.lookup(),
                counts,
                judging.policy(),
                judging.reader());
    }

    /// Whether any layer has a current snapshot, whole or not.
    static boolean anySnapshot(Configuration configuration) throws IOException {
        for (LayerDirectory layer : LayerDirectory.in(configuration.snapshots())) {
            if (layer.current().isPresent()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() {
        layers.close();
    }
}
