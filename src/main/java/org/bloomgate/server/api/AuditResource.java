package org.bloomgate.server.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.bloomgate.base.audit.AuditEvent;
import org.bloomgate.base.audit.AuditLog;
import org.bloomgate.base.audit.AuditQuery;
import org.bloomgate.server.http.Answer;
import org.bloomgate.server.http.Request;
import org.bloomgate.server.http.Resource;

/// `GET /v1/audit?who=&what=&value=&since=&before=&limit=&cursor=`: the changes by operators, newest first. For
/// the role reader.
final class AuditResource implements Resource {

    private final AuditLog auditLog;
    private final InstantSource clock;

    AuditResource(AuditLog auditLog, InstantSource clock) {
        this.auditLog = auditLog;
        this.clock = clock;
    }

    /// @param damaged number of unreadable lines of the audit log
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    record Events(List<AuditEvent> events, int damaged, Optional<String> nextCursor) {}

    @Override
    public Answer answer(Request request) throws IOException {
        AuditQuery query = new AuditQuery(
                request.query("who").orElse(""),
                request.query("what").orElse(""),
                request.query("value").orElse(""),
                SearchParameters.since(request, clock),
                AuditQuery.MAX_LIMIT);
        Instant before = SearchParameters.before(request, clock);
        AuditLog.Result found = auditLog.find(query);
        Page<AuditEvent> page = Page.byTime(
                request,
                found.events().stream()
                        .filter(event -> event.time().isBefore(before))
                        .toList(),
                AuditEvent::time);
        return Answer.json(new Events(page.records(), found.damaged(), page.nextCursor()));
    }
}
