package org.bloomgate.lists.snapshot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.base.io.IoText;
import org.bloomgate.base.io.JsonLines;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The history of rebuilds, whichever process made them: `rebuilds.jsonl` next to the layers. A rebuild that
/// was not due is only recorded after one that failed. About ten thousand are kept: more than a month at one
/// every four minutes.
/// Thread-safe.
public final class RebuildHistory {
    /// The size of the file and its predecessor.
    static final long MAX_BYTES = 8 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(RebuildHistory.class);

    private final Path file;
    private final JsonLines<PastRebuild> lines;
    private volatile Map<String, PastRebuild> lastRollbacks = Map.of();
    private volatile Map<String, PastRebuild> lastRebuilds = Map.of();

    /// Modification time of the file at the last [#refresh()]. Only under this object's monitor, as is `fault`.
    private Optional<FileTime> lastModified = Optional.empty();

    private String fault = "";

    public RebuildHistory(Path snapshots) {
        file = snapshots.resolve("rebuilds.jsonl");
        lines = new JsonLines<>(file, MAX_BYTES, PastRebuild.class);
    }

    /// Appends a rebuild, which is on the disk when this returns.
    public void add(PastRebuild rebuild) throws IOException {
        lines.append(List.of(rebuild));
    }

    /// @param layer empty for all
    /// @param limit at most this many
    /// @return the newest first
    public List<PastRebuild> find(Optional<String> layer, int limit) throws IOException {
        return lines.readNewestFirst().records().stream()
                .filter(rebuild -> layer.isEmpty() || layer.get().equals(rebuild.layer()))
                .limit(limit)
                .toList();
    }

    /// The last rebuild of each layer, without rollbacks, as of the last [#refresh()].
    public Map<String, PastRebuild> findLastRebuilds() {
        return lastRebuilds;
    }

    /// The last rollback of each layer if no rebuild has changed the current generation since, as of the last
    /// [#refresh()].
    public Map<String, PastRebuild> findLastRollbacks() {
        return lastRollbacks;
    }

    /// Reads new lines. A file that cannot be read is logged once and leaves the known lines.
    public synchronized void refresh() {
        try {
            Optional<FileTime> modifiedAt =
                    Files.exists(file) ? Optional.of(Files.getLastModifiedTime(file)) : Optional.empty();
            if (modifiedAt.equals(lastModified)) {
                return;
            }
            Map<String, PastRebuild> rebuilds = new HashMap<>();
            Map<String, PastRebuild> changes = new HashMap<>();
            for (PastRebuild rebuild : lines.readNewestFirst().records()) {
                if (!isRollback(rebuild)) {
                    rebuilds.putIfAbsent(rebuild.layer(), rebuild);
                }
                if (isRollback(rebuild) || !rebuild.previous().isEmpty()) {
                    changes.putIfAbsent(rebuild.layer(), rebuild);
                }
            }
            changes.values().removeIf(last -> !isRollback(last));
            lastRebuilds = Map.copyOf(rebuilds);
            lastRollbacks = Map.copyOf(changes);
            lastModified = modifiedAt;
            fault = "";
        } catch (IOException e) {
            if (!fault.equals(IoText.of(e))) {
                fault = IoText.of(e);
                LOG.warn("{}: {}", file, fault);
            }
        }
    }

    private static boolean isRollback(PastRebuild change) {
        return change.outcome().equals(PastRebuild.ROLLED_BACK)
                || change.outcome().equals(PastRebuild.ROLLBACK_FAILED);
    }
}
