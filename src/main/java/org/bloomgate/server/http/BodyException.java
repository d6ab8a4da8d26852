package org.bloomgate.server.http;

import java.io.IOException;

/// The reason why a body could not be read to its end. The connection has to be closed, as the bytes that
/// follow are not a request.
final class BodyException extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient Problem problem;

    BodyException(Problem problem) {
        super(problem.title());
        this.problem = problem;
    }

    Problem problem() {
        return problem;
    }
}
