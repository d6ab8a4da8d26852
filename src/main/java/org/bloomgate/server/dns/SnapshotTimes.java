package org.bloomgate.server.dns;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.bloomgate.lists.fetch.Cadence;
import org.bloomgate.lookup.tier.Layer;
import org.bloomgate.lookup.tier.LayerLease;

/// The times of the current layers, which bound the TTL of answers and give the serial of the zones. Immutable.
///
/// @param newestMillis when the newest snapshot was created, since 1970
/// @param dueMillis when the next snapshot of any layer is due, since 1970
record SnapshotTimes(List<Layer> layers, long newestMillis, long dueMillis) {
    static final SnapshotTimes NOTHING = new SnapshotTimes(List.of(), 0, Long.MAX_VALUE);

    /// The least TTL, even if the next layer is overdue: an answer that cannot be cached is queried again at
    /// once.
    private static final int LEAST_TTL_SECONDS = 30;

    /// The times of the layers of a lease: this object while they are the same. A changed list of layers is
    /// always another object.
    @SuppressWarnings("ReferenceEquality")
    SnapshotTimes of(LayerLease lease) {
        return layers == lease.layers() ? this : of(lease.layers());
    }

    private static SnapshotTimes of(List<Layer> layers) {
        long newest = 0;
        long due = Long.MAX_VALUE;
        for (Layer layer : layers) {
            newest = Math.max(newest, layer.createdAt().toEpochMilli());
            due = Math.min(due, due(layer.name(), layer.createdAt()));
        }
        return new SnapshotTimes(layers, newest, due);
    }

    /// The time at which the layer will be replaced; never for a layer that has no cadence.
    private static long due(String layer, Instant createdAt) {
        for (Cadence cadence : Cadence.values()) {
            if (cadence.layer().equals(layer)) {
                return createdAt.plus(cadence.interval()).toEpochMilli();
            }
        }
        return Long.MAX_VALUE;
    }

    boolean isOlderThan(Duration age, long nowMillis) {
        return newestMillis + age.toMillis() < nowMillis;
    }

    /// The time to live: at most until the next layer is due.
    int ttl(int maxSeconds, long nowMillis) {
        long left = dueMillis == Long.MAX_VALUE ? maxSeconds : (dueMillis - nowMillis) / 1_000;
        return (int) Math.min(maxSeconds, Math.max(LEAST_TTL_SECONDS, left));
    }

    /// Grows with every snapshot until 2106, as a serial has to (RFC 1982).
    int serial() {
        return (int) (newestMillis / 1_000);
    }
}
