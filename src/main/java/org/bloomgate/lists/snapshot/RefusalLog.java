package org.bloomgate.lists.snapshot;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The refused snapshots, so that none is verified again while the outcome would be the same. Thread-safe.
final class RefusalLog {
    /// When a refused snapshot is verified again.
    enum Retry {
        /// Its bytes are wrong and stay so, unless another directory takes its place.
        NEVER,
        /// The machine failed, not the snapshot.
        LATER
    }

    private static final Logger LOG = LoggerFactory.getLogger(RefusalLog.class);
    private static final Duration RETRY_AFTER = Duration.ofMinutes(1);
    private static final int MAX_LATEST = 20;

    private final Deque<Refusal> latest = new ArrayDeque<>();
    private final Map<String, CurrentRefusal> byLayer = new HashMap<>();
    private long total;

    /// @param stamp of the directory, which changes when the directory is replaced
    /// @param hasSnapshot whether the layer has an earlier snapshot, which stays in use
    synchronized void refuse(Refusal refusal, String stamp, Retry retry, boolean hasSnapshot) {
        LOG.warn(
                "snapshot {}/{} refused, {}: {}",
                refusal.layer(),
                refusal.generation(),
                hasSnapshot ? "the one before stays" : "none is in force",
                refusal.reason());
        byLayer.put(refusal.layer(), new CurrentRefusal(refusal, stamp, retry));
        latest.addLast(refusal);
        if (latest.size() > MAX_LATEST) {
            latest.removeFirst();
        }
        total++;
    }

    /// Whether the generation was refused and verifying it again would end the same.
    synchronized boolean isCurrent(String layer, String generation, String stamp, Instant now) {
        Optional<CurrentRefusal> last = Optional.ofNullable(byLayer.get(layer));
        return last.isPresent()
                && last.get().refusal.generation().equals(generation)
                && last.get().stamp.equals(stamp)
                && switch (last.get().retry) {
                    case NEVER -> true;
                    case LATER -> now.isBefore(last.get().refusal.at().plus(RETRY_AFTER));
                };
    }

    synchronized List<Refusal> latest() {
        return List.copyOf(latest);
    }

    synchronized long total() {
        return total;
    }

    private record CurrentRefusal(Refusal refusal, String stamp, Retry retry) {}
}
