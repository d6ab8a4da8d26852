package org.bloomgate.server.dns;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.bloomgate.lists.fetch.Cadence;
import org.bloomgate.lookup.lookup.Layer;
import org.bloomgate.lookup.lookup.LayerLease;

/// The effect of the age of the current layers on answers. Immutable.
///
/// @param newestMillis when the newest snapshot was created, since 1970
/// @param dueMillis when the next snapshot of any layer is due, since 1970
record InForce(List<Layer> layers, long newestMillis, long dueMillis) {
    static final InForce NOTHING = new InForce(List.of(), 0, Long.MAX_VALUE);

    /// The least TTL, however late the next layer is: answers that cannot be cached would return as queries at
    /// once.
    private static final int LEAST_TTL_SECONDS = 30;

    /// For the layers of a lease; this one while they are the same. A changed list of layers is always a new
    /// object.
    @SuppressWarnings("ReferenceEquality")
    InForce of(LayerLease lease) {
        return layers == lease.layers() ? this : of(lease.layers());
    }

    private static InForce of(List<Layer> layers) {
        long newest = 0;
        long due = Long.MAX_VALUE;
        for (Layer layer : layers) {
            newest = Math.max(newest, layer.createdAt().toEpochMilli());
            due = Math.min(due, due(layer.name(), layer.createdAt()));
        }
        return new InForce(layers, newest, due);
    }

    /// It is unknown when a layer of another name will be replaced.
    private static long due(String layer, Instant createdAt) {
        for (Cadence cadence : Cadence.values()) {
            if (cadence.layer().equals(layer)) {
                return createdAt.plus(pause(cadence)).toEpochMilli();
            }
        }
        return Long.MAX_VALUE;
    }

    private static Duration pause(Cadence cadence) {
        return switch (cadence) {
            case NIGHTLY -> Duration.ofDays(1);
            case HOURLY -> Duration.ofHours(1);
            case MINUTES -> Duration.ofMinutes(5);
        };
    }

    boolean isOlderThan(Duration age, long nowMillis) {
        return newestMillis + age.toMillis() < nowMillis;
    }

    /// The time to live, cut at the moment the next layer is due.
    int ttl(int wantedSeconds, long nowMillis) {
        long left = dueMillis == Long.MAX_VALUE ? wantedSeconds : (dueMillis - nowMillis) / 1_000;
        return (int) Math.min(wantedSeconds, Math.max(LEAST_TTL_SECONDS, left));
    }

    /// Grows with every snapshot until 2106, as a serial has to (RFC 1982).
    int serial() {
        return (int) (newestMillis / 1_000);
    }
}
