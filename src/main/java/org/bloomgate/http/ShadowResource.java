package org.bloomgate.http;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.bloomgate.journal.DecisionJournal;
import org.bloomgate.report.ShadowReport;
import org.bloomgate.web.Answer;
import org.bloomgate.web.HttpOptions;
import org.bloomgate.web.Request;
import org.bloomgate.web.Resource;
import org.bloomgate.web.Route;
import org.bloomgate.web.Tokens;

/// `GET /v1/shadow?since=&limit=`: what shadow mode and feeds on trial would have done. For the admin or the read
/// token.
final class ShadowResource implements Resource {
    private final DecisionJournal journal;
    private final Tokens tokens;
    private final Duration timeout;
    private final InstantSource clock;
    private final ReportDesk desk;

    ShadowResource(DecisionJournal journal, HttpOptions options, InstantSource clock, ReportDesk desk) {
        this.journal = journal;
        this.tokens = Tokens.of(options);
        this.timeout = options.requestTimeout();
        this.clock = clock;
        this.desk = desk;
    }

    @Override
    public Route route() {
        return Route.get("/v1/shadow").with(LookedBack.SINCE, LookedBack.LIMIT);
    }

    @Override
    public void admit(Request request) {
        tokens.requireReader(request);
    }

    @Override
    public Answer answer(Request request) {
        Instant since = LookedBack.since(request, clock);
        int limit = LookedBack.limit(request);
        return desk.answer(
                "/v1/shadow", () -> ShadowReport.of(since, limit, reader -> journal.shadowed(since, timeout, reader)));
    }
}
