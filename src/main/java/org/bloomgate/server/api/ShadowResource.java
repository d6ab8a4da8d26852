package org.bloomgate.server.api;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.bloomgate.decision.journal.DecisionJournal;
import org.bloomgate.lists.report.ShadowReport;
import org.bloomgate.server.http.Answer;
import org.bloomgate.server.http.HttpOptions;
import org.bloomgate.server.http.Request;
import org.bloomgate.server.http.Resource;
import org.bloomgate.server.http.Role;
import org.bloomgate.server.http.Route;

/// `GET /v1/shadow?since=&limit=`: what shadow mode and feeds on trial would have done. For the role
/// reader.
final class ShadowResource implements Resource {
    private final DecisionJournal journal;
    private final Duration timeout;
    private final InstantSource clock;
    private final ReportDesk quarantineService;

    ShadowResource(DecisionJournal journal, HttpOptions options, InstantSource clock, ReportDesk quarantineService) {
        this.journal = journal;
        this.timeout = options.requestTimeout();
        this.clock = clock;
        this.quarantineService = quarantineService;
    }

    @Override
    public Route route() {
        return Route.get("/v1/shadow", Role.READER).with(LookedBack.SINCE, LookedBack.LIMIT);
    }

    @Override
    public Answer answer(Request request) {
        Instant since = LookedBack.since(request, clock);
        int limit = LookedBack.limit(request);
        return quarantineService.answer(
                "/v1/shadow", () -> ShadowReport.of(since, limit, reader -> journal.shadowed(since, timeout, reader)));
    }
}
