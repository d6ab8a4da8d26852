package org.bloomgate.server.api;

import java.util.stream.Stream;
import org.bloomgate.server.http.Answer;
import org.bloomgate.server.http.Problem;
import org.bloomgate.server.http.ProblemType;
import org.bloomgate.server.http.Request;
import org.bloomgate.server.http.Resource;

/// `GET /problems/{name}`: what a type of problem means, as text.
final class ProblemsResource implements Resource {
    private static final String NAME = "name";

    @Override
    public Answer answer(Request request) {
        String name = request.pathParameter(NAME);
        return Stream.of(ProblemType.values())
                .filter(type -> type.label().equals(name))
                .findFirst()
                .map(type -> Answer.text(
                        "text/plain; charset=utf-8",
                        type.label() + " (" + type.status() + ")\n\n" + type.text() + '\n'))
                .orElseGet(() -> Answer.problem(Problem.notFound()));
    }
}
