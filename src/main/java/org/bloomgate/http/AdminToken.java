package org.bloomgate.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;

/// What opens the resources that change state: `Authorization: Bearer TOKEN`, compared in constant time. An empty
/// token opens them for nobody.
record AdminToken(String token) {
    private static final String SCHEME = "Bearer ";

    @Override
    public String toString() {
        return "AdminToken[withheld]";
    }

    boolean opensNothing() {
        return token.isEmpty();
    }

    /// @throws ProblemException when the request may not go on
    void require(Request request) {
        if (opensNothing()) {
            throw new ProblemException(
                    Problem.of(403, "Forbidden", "switched off: set http.adminToken in the configuration"));
        }
        if (!isGivenBy(request)) {
            throw refused("send Authorization: Bearer and the admin token");
        }
    }

    boolean isGivenBy(Request request) {
        return !opensNothing()
                && bearer(request).filter(given -> equal(given, token)).isPresent();
    }

    /// The token that a request has, whosever it is.
    static Optional<String> bearer(Request request) {
        return request.header("Authorization")
                .filter(given -> given.regionMatches(true, 0, SCHEME, 0, SCHEME.length()))
                .map(given -> given.substring(SCHEME.length()).strip());
    }

    static ProblemException refused(String detail) {
        return new ProblemException(
                Answer.problem(Problem.of(401, "Unauthorized", detail)).with("WWW-Authenticate", "Bearer"));
    }

    private static boolean equal(String given, String wanted) {
        return MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), wanted.getBytes(StandardCharsets.UTF_8));
    }
}
