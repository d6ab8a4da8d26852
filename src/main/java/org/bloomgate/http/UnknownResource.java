package org.bloomgate.http;

import java.util.List;

/// Every path that no resource has.
final class UnknownResource implements Resource {
    @Override
    public Route route() {
        return new Route(List.of(), "other", List.of(), Long.MAX_VALUE);
    }

    @Override
    public Answer answer(Request request) {
        return Answer.problem(Problem.notFound());
    }
}
