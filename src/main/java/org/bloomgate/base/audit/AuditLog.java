package org.bloomgate.base.audit;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.bloomgate.base.io.JsonLines;

/// The trail: `audit.jsonl` in the folder of what operators keep, added to by every process that changes
/// something. Some thirty thousand audit events are kept. Thread-safe.
public final class AuditLog {
    /// Of the file and its predecessor together.
    static final long MAX_BYTES = 8 << 20;

    private final JsonLines<AuditEvent> lines;

    /// @param directory of local entries
    public AuditLog(Path directory) {
        lines = new JsonLines<>(directory.resolve("audit.jsonl"), MAX_BYTES, AuditEvent.class);
    }

    /// On the disk when this returns.
    ///
    /// @throws IOException if they cannot be recorded; then the change must not be made
    public void record(List<AuditEvent> events) throws IOException {
        lines.append(events);
    }

    /// Returns matching events, newest first. Lines that cannot be read are skipped and counted.
    public Found find(AuditQuery query) throws IOException {
        JsonLines.Kept<AuditEvent> kept = lines.newestFirst();
        return new Found(
                kept.records().stream()
                        .filter(query::wants)
                        .limit(query.limit())
                        .toList(),
                kept.damaged());
    }

    /// @param damaged lines of the trail that hold no audit event
    public record Found(List<AuditEvent> events, int damaged) {
        public Found {
            events = List.copyOf(events);
        }
    }
}
