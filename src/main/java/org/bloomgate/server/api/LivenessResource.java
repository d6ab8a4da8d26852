package org.bloomgate.server.api;

import org.bloomgate.server.http.Answer;
import org.bloomgate.server.http.Request;
import org.bloomgate.server.http.Resource;
import org.bloomgate.server.http.Role;
import org.bloomgate.server.http.Route;

/// `GET /health/live`: the process answers.
final class LivenessResource implements Resource {
    record Health(String status) {}

    @Override
    public Route route() {
        return Route.get("/health/live", Role.NONE);
    }

    @Override
    public Answer answer(Request request) {
        return Answer.json(new Health("live"));
    }
}
