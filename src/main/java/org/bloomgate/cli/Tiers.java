package org.bloomgate.cli;

import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.bloomgate.config.Configuration;
import org.bloomgate.key.PublicSuffixes;
import org.bloomgate.local.LiveEntries;
import org.bloomgate.local.LocalFile;
import org.bloomgate.lookup.LocalRules;
import org.bloomgate.lookup.LookupCounts;
import org.bloomgate.lookup.TwoTierLookup;
import org.bloomgate.message.MessageReader;
import org.bloomgate.policy.Policy;
import org.bloomgate.snapshot.LayerDirectory;
import org.bloomgate.snapshot.LiveSnapshots;
import org.bloomgate.snapshot.LiveStatus;
import org.bloomgate.snapshot.Refusal;

/// The two tiers over the snapshots in force, and what judges with them.
///
/// @param exact that the snapshots were opened with
/// @param snapshots adopted when this was opened; a gateway lets them watch for newer ones
/// @param layers the snapshots with what operators say, read when this was opened and watched likewise
record Tiers(
        ExactTier exact,
        LiveSnapshots snapshots,
        LiveEntries layers,
        TwoTierLookup lookup,
        LookupCounts counts,
        Policy policy,
        MessageReader reader)
        implements AutoCloseable {

    /// @throws IOException when the local entries, the keys of publishers or certificates to trust cannot be read
    static Tiers open(Configuration configuration) throws IOException {
        ExactTier exact = ExactTier.of(configuration.exact());
        try {
            return open(configuration, exact);
        } catch (IOException | RuntimeException e) {
            exact.close();
            throw e;
        }
    }

    private static Tiers open(Configuration configuration, ExactTier exact) throws IOException {
        LookupCounts counts = new LookupCounts();
        Judging judging = Judging.of(configuration, counts);
        InstantSource clock = InstantSource.system();
        LiveSnapshots snapshots = new LiveSnapshots(
                configuration.snapshots(), SnapshotReading.of(configuration), exact, PublicSuffixes.bundled(), clock);
        return new Tiers(
                exact,
                snapshots,
                local(configuration, snapshots, clock),
                judging.lookup(),
                counts,
                judging.policy(),
                judging.reader());
    }

    private static LiveEntries local(Configuration configuration, LiveSnapshots snapshots, InstantSource clock)
            throws IOException {
        try {
            return new LiveEntries(snapshots, new LocalFile(configuration.local(), clock), clock);
        } catch (IOException e) {
            snapshots.close();
            throw e;
        }
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

    /// Of the snapshots, and of the local entries when those in force are not those of their file.
    LiveStatus status() {
        LiveStatus status = snapshots.status();
        List<Refusal> refusals = new ArrayList<>(status.refusals());
        layers.fault().ifPresent(fault -> refusals.add(new Refusal(LocalRules.LAYER, "", fault.why(), fault.at())));
        return new LiveStatus(status.layers(), refusals, status.refusedTotal());
    }

    @Override
    public void close() {
        layers.close();
        snapshots.close();
        exact.close();
    }
}
