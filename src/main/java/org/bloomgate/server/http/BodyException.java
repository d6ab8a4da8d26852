package org.bloomgate.server.http;

import java.io.IOException;

/// Thrown if a body could not be read to its end. The connection must be closed, as the following bytes are not
/// a request.
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
