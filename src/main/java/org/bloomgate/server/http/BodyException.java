package org.bloomgate.server.http;

import java.io.IOException;

/// Why a body could not be read to its end. What follows on the connection is no request: it has to be closed.
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
