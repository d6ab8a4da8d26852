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

/// The audit log: `audit.jsonl` in the folder of the local entries, appended to by every process that changes
/// something. The newest 30,000 events or so are kept. Quarantined messages that were only opened are recorded
/// in `audit-opened.jsonl`, of the same size, so that they displace no change. Thread-safe.
public final class AuditLog {
    /// The size of a file and its predecessor together.
    static final long MAX_BYTES = 8 << 20;

    private static final Set<String> OPENINGS =
            Set.of(AuditEvent.What.QUARANTINE_SHOW.label(), AuditEvent.What.QUARANTINE_DOWNLOAD.label());

    private final JsonLines<AuditEvent> changes;
    private final JsonLines<AuditEvent> openings;

    /// @param directory the folder of the local entries
    public AuditLog(Path directory) {
        changes = new JsonLines<>(directory.resolve("audit.jsonl"), MAX_BYTES, AuditEvent.class);
        openings = new JsonLines<>(directory.resolve("audit-opened.jsonl"), MAX_BYTES, AuditEvent.class);
    }

    /// Appends events, which are on disk when this returns.
    ///
    /// @throws IOException if they cannot be recorded; then the change must not be made
    public void record(List<AuditEvent> events) throws IOException {
        Map<Boolean, List<AuditEvent>> byOpening =
                events.stream().collect(Collectors.partitioningBy(AuditLog::isOpening));
        append(changes, byOpening.getOrDefault(false, List.of()));
        append(openings, byOpening.getOrDefault(true, List.of()));
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
    public Result find(AuditQuery query) throws IOException {
        JsonLines.Contents<AuditEvent> changeEvents = changes.readNewestFirst();
        JsonLines.Contents<AuditEvent> openingEvents = openings.readNewestFirst();
        return new Result(
                Stream.concat(changeEvents.records().stream(), openingEvents.records().stream())
                        .filter(query::matches)
                        .sorted(Comparator.comparing(AuditEvent::time).reversed())
                        .limit(query.limit())
                        .toList(),
                changeEvents.damagedLines() + openingEvents.damagedLines());
    }

    /// @param damaged number of lines that are not an audit event
    public record Result(List<AuditEvent> events, int damaged) {
        public Result {
            events = List.copyOf(events);
        }
    }
}
