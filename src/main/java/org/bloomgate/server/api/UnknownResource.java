package org.bloomgate.server.api;

import java.util.List;
import org.bloomgate.server.http.Answer;
import org.bloomgate.server.http.Problem;
import org.bloomgate.server.http.Request;
import org.bloomgate.server.http.Resource;
import org.bloomgate.server.http.Role;
import org.bloomgate.server.http.Route;

/// Every path that no resource has.
final class UnknownResource implements Resource {
    @Override
    public Route route() {
        return new Route(List.of(), "other", Role.NONE, List.of(), Long.MAX_VALUE);
    }

    @Override
    public Answer answer(Request request) {
        return Answer.problem(Problem.notFound());
    }
}
