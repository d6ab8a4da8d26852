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

/// Remembers which snapshots were refused, so that none is verified again before that could change the outcome.
/// Thread-safe.
final class RefusalLog {
    /// When a refused snapshot is looked at again.
    enum Retry {
        /// Its bytes are wrong and stay so, unless another directory takes its place.
        NEVER,
        /// The machine failed, not the snapshot.
        LATER
    }

    private static final Logger LOG = LoggerFactory.getLogger(RefusalLog.class);
    private static final Duration PAUSE = Duration.ofMinutes(1);
    private static final int KEPT = 20;

    private final Deque<Refusal> latest = new ArrayDeque<>();
    private final Map<String, ListingSource> listedBy = new HashMap<>();
    private long total;

    /// @param stamp of the directory, another one after it was replaced
    /// @param inForce whether the layer has one before it
    synchronized void refuse(Refusal refusal, String stamp, Retry retry, boolean inForce) {
        LOG.warn(
                "snapshot {}/{} refused, {}: {}",
                refusal.layer(),
                refusal.generation(),
                inForce ? "the one before stays" : "none is in force",
                refusal.reason());
        listedBy.put(refusal.layer(), new ListingSource(refusal, stamp, retry));
        latest.addLast(refusal);
        if (latest.size() > KEPT) {
            latest.removeFirst();
        }
        total++;
    }

    /// True when looking at that generation again would end the same.
    synchronized boolean stands(String layer, String generation, String stamp, Instant now) {
        Optional<ListingSource> last = Optional.ofNullable(listedBy.get(layer));
        return last.isPresent()
                && last.get().refusal.generation().equals(generation)
                && last.get().stamp.equals(stamp)
                && switch (last.get().retry) {
                    case NEVER -> true;
                    case LATER -> now.isBefore(last.get().refusal.at().plus(PAUSE));
                };
    }

    synchronized List<Refusal> latest() {
        return List.copyOf(latest);
    }

    synchronized long total() {
        return total;
    }

    private record ListingSource(Refusal refusal, String stamp, Retry retry) {}
}
