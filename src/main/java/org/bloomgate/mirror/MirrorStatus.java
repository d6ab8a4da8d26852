package org.bloomgate.mirror;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.bloomgate.snapshot.Refusal;

/// How far this machine follows its publisher.
///
/// @param answered when the publisher last said what is current
/// @param faults that stand, by layer; those of the publisher as a whole under [Mirror#PUBLISHER]
/// @param faultsTotal number of rounds with a fault, since start
/// @param fetchedTotal number of snapshots brought here, since start
public record MirrorStatus(Optional<Instant> answered, List<Refusal> faults, long faultsTotal, long fetchedTotal) {
    public MirrorStatus {
        faults = List.copyOf(faults);
    }
}
