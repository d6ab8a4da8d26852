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
import org.bloomgate.server.http.Role;
import org.bloomgate.server.http.Route;

/// `GET /v1/audit?who=&what=&value=&since=&before=&limit=&cursor=`: who changed what, newest first. For the role
/// reader.
final class AuditResource implements Resource {

    private final AuditLog trail;
    private final InstantSource clock;

    AuditResource(AuditLog trail, InstantSource clock) {
        this.trail = trail;
        this.clock = clock;
    }

    /// @param damaged lines of the trail that hold nothing
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    record Events(List<AuditEvent> events, int damaged, Optional<String> nextCursor) {}

    @Override
    public Route route() {
        return Route.get("/v1/audit", Role.READER)
                .with("who", "what", "value", LookedBack.SINCE, LookedBack.BEFORE, LookedBack.LIMIT, Cursor.NAME);
    }

    @Override
    public Answer answer(Request request) throws IOException {
        AuditQuery query = new AuditQuery(
                request.query("who").orElse(""),
                request.query("what").orElse(""),
                request.query("value").orElse(""),
                LookedBack.since(request, clock),
                AuditQuery.MAX_LIMIT);
        Instant before = LookedBack.before(request, clock);
        AuditLog.Result found = trail.find(query);
        Page<AuditEvent> page = Page.byTime(
                request,
                found.events().stream()
                        .filter(event -> event.time().isBefore(before))
                        .toList(),
                AuditEvent::time);
        return Answer.json(new Events(page.records(), found.damaged(), page.nextCursor()));
    }
}
