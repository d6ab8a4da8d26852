package org.bloomgate.server.http;

/// Ends a request with a [Problem]. It is not a fault, so it has no stack trace and is not logged.
public final class ProblemException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Answer answer;

    public ProblemException(Problem problem) {
        this(Answer.problem(problem));
    }

    /// @param answer a problem with further header fields
    public ProblemException(Answer answer) {
        super("status " + answer.status(), null, false, false);
        this.answer = answer;
    }

    /// For a request without a valid token.
    public static ProblemException tokenRequired(String detail) {
        return new ProblemException(
                Answer.problem(Problem.of(ProblemType.TOKEN_REQUIRED, detail)).with("WWW-Authenticate", "Bearer"));
    }

    Answer answer() {
        return answer;
    }
}
