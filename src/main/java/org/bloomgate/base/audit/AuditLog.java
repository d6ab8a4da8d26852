package org.bloomgate.base.audit;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bloomgate.base.io.JsonLines;

/// The audit log: `audit.jsonl` in the folder of what operators keep, added to by every process that changes
/// something. Some thirty thousand audit events are kept. Messages of the quarantine that were only opened are in
/// `audit-opened.jsonl`, of the same size, so that they push out no change. Thread-safe.
public final class AuditLog {
    /// Of the file and its predecessor together.
    static final long MAX_BYTES = 8 << 20;

    private static final Set<String> OPENINGS =
            Set.of(AuditEvent.What.QUARANTINE_SHOW.label(), AuditEvent.What.QUARANTINE_DOWNLOAD.label());

    private final JsonLines<AuditEvent> changes;
    private final JsonLines<AuditEvent> opened;

    /// @param directory of local entries
    public AuditLog(Path directory) {
        changes = new JsonLines<>(directory.resolve("audit.jsonl"), MAX_BYTES, AuditEvent.class);
        opened = new JsonLines<>(directory.resolve("audit-opened.jsonl"), MAX_BYTES, AuditEvent.class);
    }

    /// On the disk when this returns.
    ///
    /// @throws IOException if they cannot be recorded; then the change must not be made
    public void record(List<AuditEvent> events) throws IOException {
        Map<Boolean, List<AuditEvent>> parted = events.stream().collect(Collectors.partitioningBy(AuditLog::isOpening));
        append(changes, parted.getOrDefault(false, List.of()));
        append(opened, parted.getOrDefault(true, List.of()));
    }

    private static void append(JsonLines<AuditEvent> lines, List<AuditEvent> events) throws IOException {
        if (!events.isEmpty()) {
            lines.append(events);
        }
    }

    private static boolean isOpening(AuditEvent event) {
        return OPENINGS.contains(event.what());
    }

    /// Returns matching events, newest first. Lines that cannot be read are skipped and counted.
    public Found find(AuditQuery query) throws IOException {
        JsonLines.Kept<AuditEvent> changed = changes.newestFirst();
        JsonLines.Kept<AuditEvent> read = opened.newestFirst();
        return new Found(
                Stream.concat(changed.records().stream(), read.records().stream())
                        .filter(query::wants)
                        .sorted(Comparator.comparing(AuditEvent::time).reversed())
                        .limit(query.limit())
                        .toList(),
                changed.damaged() + read.damaged());
    }

    /// @param damaged lines of the trail that hold no audit event
    public record Found(List<AuditEvent> events, int damaged) {
        public Found {
            events = List.copyOf(events);
        }
    }
}
