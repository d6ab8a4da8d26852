package org.bloomgate.judge;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.bloomgate.lookup.Layer;
import org.bloomgate.lookup.LayerLease;
import org.bloomgate.lookup.TwoTierLookup;
import org.bloomgate.message.MessageReader;
import org.bloomgate.policy.Policy;
import org.bloomgate.policy.PolicyOverrides;

/// Judges mails: what is found in them, and what the policy makes of it. Everything a ruling depends on is here or in
/// the lease, so that equal mails get equal rulings whoever asks. Immutable and thread-safe.
///
/// @param parted what was put off because its recipients differ
/// @param maxSnapshotAge of the newest snapshot; when even that is older, nothing unlisted counts as asked
public record MessageJudge(
        TwoTierLookup lookup,
        Policy policy,
        MessageReader reader,
        Duration maxSnapshotAge,
        InstantSource clock,
        PartedMail parted) {

    /// With nothing put off yet.
    public MessageJudge(
            TwoTierLookup lookup, Policy policy, MessageReader reader, Duration maxSnapshotAge, InstantSource clock) {
        this(lookup, policy, reader, maxSnapshotAge, clock, new PartedMail(clock));
    }

    /// A judge whose hearings neither know of other mail nor leave anything behind.
    public MessageJudge rehearsing() {
        return new MessageJudge(lookup, policy, reader, maxSnapshotAge, clock);
    }

    /// The judge of a listener that has rules of its own.
    public MessageJudge overriddenBy(PolicyOverrides own, Duration maxSnapshotAgeThere) {
        return new MessageJudge(lookup, policy.overriddenBy(own), reader, maxSnapshotAgeThere, clock, parted);
    }

    /// One mail, asked about at the layers of the lease, which stays open until the hearing is over.
    ///
    /// @param caller who hands it over
    public Hearing open(LayerLease lease, Caller caller) {
        return new Hearing(this, lease, caller, outdated(lease));
    }

    private boolean outdated(LayerLease lease) {
        Optional<Instant> newest = lease.layers().stream().map(Layer::createdAt).max(Instant::compareTo);
        return newest.filter(created -> created.plus(maxSnapshotAge).isBefore(clock.instant()))
                .isPresent();
    }
}
