package org.bloomgate.server.api;

import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import org.bloomgate.base.config.ScalarReader;
import org.bloomgate.server.http.Problem;
import org.bloomgate.server.http.ProblemException;
import org.bloomgate.server.http.Request;

/// How far a search looks back, and how much it may find.
final class LookedBack {
    static final String LIMIT = "limit";
    static final String SINCE = "since";
    static final int MAX_LIMIT = 1_000;
    private static final String USUAL = "7d";

    private LookedBack() {}

    /// The default time span of commands that search the journal.
    ///
    /// @throws ProblemException when it is neither an age nor an instant
    static Instant since(Request request, InstantSource clock) {
        return since(request, USUAL, clock);
    }

    /// `7d`, or an ISO instant.
    ///
    /// @throws ProblemException when it is neither
    static Instant since(Request request, String usual, InstantSource clock) {
        String text = request.query(SINCE).filter(given -> !given.isBlank()).orElse(usual);
        try {
            return text.indexOf('T') < 0 ? clock.instant().minus(ScalarReader.duration(text)) : Instant.parse(text);
        } catch (IllegalArgumentException | DateTimeParseException | ArithmeticException malformed) {
            throw new ProblemException(Problem.badRequest(SINCE + ": as 7d, 12h, 30m or 2031-12-31T12:00:00Z"));
        }
    }

    /// @throws ProblemException when it is out of bounds
    static int limit(Request request) {
        String text = request.query(LIMIT).orElse("50");
        if (!text.matches("[0-9]{1,4}") || Integer.parseInt(text) < 1 || Integer.parseInt(text) > MAX_LIMIT) {
            throw new ProblemException(Problem.badRequest(LIMIT + ": 1 to " + MAX_LIMIT));
        }
        return Integer.parseInt(text);
    }
}
