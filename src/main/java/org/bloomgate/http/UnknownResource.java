package org.bloomgate.http;

import java.util.List;
import org.bloomgate.web.Answer;
import org.bloomgate.web.Problem;
import org.bloomgate.web.Request;
import org.bloomgate.web.Resource;
import org.bloomgate.web.Route;

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
