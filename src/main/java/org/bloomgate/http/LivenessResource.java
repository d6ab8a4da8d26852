package org.bloomgate.http;

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
