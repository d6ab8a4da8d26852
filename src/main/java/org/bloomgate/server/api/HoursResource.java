package org.bloomgate.server.api;

import java.time.InstantSource;
import org.bloomgate.decision.journal.DecisionJournal;
import org.bloomgate.server.http.Answer;
import org.bloomgate.server.http.AnswerJson;
import org.bloomgate.server.http.EntityTag;
import org.bloomgate.server.http.Request;
import org.bloomgate.server.http.Resource;
import org.bloomgate.server.http.Route;
import org.bloomgate.server.http.RouteGroup;

/// `GET /v1/status/hours`: messages of the last 14 days by hour and action.
final class HoursResource implements Resource {
    private final DecisionJournal journal;
    private final InstantSource clock;

    HoursResource(DecisionJournal journal, InstantSource clock) {
        this.journal = journal;
        this.clock = clock;
    }

    @Override
    public Route route() {
        return Route.get("/v1/status/hours", RouteGroup.STATUS).with();
    }

    @Override
    public Answer answer(Request request) {
        return EntityTag.answer(request, AnswerJson.bytes(journal.hoursUntil(clock.instant())));
    }
}
