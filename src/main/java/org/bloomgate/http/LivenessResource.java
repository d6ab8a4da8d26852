package org.bloomgate.http;

import org.bloomgate.web.Answer;
import org.bloomgate.web.Request;
import org.bloomgate.web.Resource;
import org.bloomgate.web.Route;

/// `GET /health/live`: the process answers.
final class LivenessResource implements Resource {
    record Health(String status) {}

    @Override
    public Route route() {
        return Route.get("/health/live");
    }

    @Override
    public Answer answer(Request request) {
        return Answer.json(new Health("live"));
    }
}
