package org.bloomgate.http;

import java.io.IOException;
import java.util.Optional;

/// Why a body could not be read to its end: it is outside its bounds, which is a problem to answer, or the connection
/// failed, which is the cause and leaves nobody to answer.
final class BodyException extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient Optional<Problem> problem;
    private final RuntimeException connection;

    BodyException(Problem problem) {
        super(problem.title());
        this.problem = Optional.of(problem);
        this.connection = new IllegalStateException(problem.title());
    }

    /// @param connection what the server threw
    BodyException(RuntimeException connection) {
        super(connection);
        this.problem = Optional.empty();
        this.connection = connection;
    }

    Optional<Problem> problem() {
        return problem;
    }

    /// What the server has to see to end the connection.
    RuntimeException connection() {
        return connection;
    }
}
