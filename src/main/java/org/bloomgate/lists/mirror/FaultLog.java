package org.bloomgate.lists.mirror;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.bloomgate.lists.snapshot.Refusal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The current faults. Each is logged when it begins, changes and ends, however often it occurs. Thread-safe.
final class FaultLog {
    private static final Logger LOG = LoggerFactory.getLogger(FaultLog.class);

    private final Map<String, Refusal> byLayer = new TreeMap<>();
    private long total;

    /// @param layer or, for the publisher as a whole, one of the names in [Mirror] and [SharedEntriesFollower]
    synchronized void note(String layer, String generation, String reason, Instant now) {
        total++;
        Optional<Refusal> before = Optional.ofNullable(byLayer.get(layer));
        boolean same = before.isPresent()
                && before.get().generation().equals(generation)
                && before.get().reason().equals(reason);
        if (!same) {
            byLayer.put(layer, new Refusal(layer, generation, reason, now));
            LOG.warn("mirror: {}: {} (the data on this machine stays in use)", name(layer, generation), reason);
        }
    }

    synchronized void clear(String layer) {
        Optional.ofNullable(byLayer.remove(layer))
                .ifPresent(ended -> LOG.info("mirror: {}: recovered", name(layer, ended.generation())));
    }

    /// Forgets layers that the publisher no longer has.
    synchronized void forgetAllBut(Set<String> layers) {
        byLayer.keySet().retainAll(layers);
    }

    private static String name(String layer, String generation) {
        return generation.isEmpty() ? layer : layer + "/" + generation;
    }

    synchronized List<Refusal> currentFaults() {
        return List.copyOf(byLayer.values());
    }

    synchronized long total() {
        return total;
    }
}
