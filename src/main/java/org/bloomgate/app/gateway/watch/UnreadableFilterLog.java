package org.bloomgate.app.gateway.watch;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.bloomgate.lookup.tier.Layer;
import org.bloomgate.lookup.tier.UnreadableFilter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Logs a snapshot whose filters cannot be read, once for each generation: a line for every message would fill
/// the disk that may be the cause. Thread-safe.
public final class UnreadableFilterLog implements UnreadableFilter {
    private static final Logger LOG = LoggerFactory.getLogger(UnreadableFilterLog.class);

    private final Set<String> loggedSnapshots = ConcurrentHashMap.newKeySet();

    @Override
    public void report(Layer layer, InternalError fault) {
        String snapshot = layer.name() + "/" + layer.generation();
        if (loggedSnapshots.add(snapshot)) {
            LOG.error(
                    "snapshot {}: a filter cannot be read ({}): every key goes to the exact lookup. Was its file changed,"
                            + " or does the disk fail? Roll back or rebuild",
                    snapshot,
                    fault.getMessage());
        }
    }
}
