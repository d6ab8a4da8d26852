package org.bloomgate.server.api;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;
import org.bloomgate.base.config.ScalarReader;
import org.bloomgate.core.text.TextScan;
import org.bloomgate.server.http.Problem;
import org.bloomgate.server.http.ProblemException;
import org.bloomgate.server.http.Request;

/// The query parameters of resources that search: how far back, until when, how many.
final class LookedBack {
    static final String LIMIT = "limit";
    static final String SINCE = "since";
    static final String BEFORE = "before";
    static final String DAY = "day";
    static final int MAX_LIMIT = 200;
    private static final String USUAL = "7d";
    private static final String USUAL_LIMIT = "50";

    /// Parameters are before this instant: the times of journal lines have four digits for the year, and adding to
    /// [Instant#MAX] throws.
    private static final Instant END = Instant.parse("+10000-01-01T00:00:00Z");

    private LookedBack() {}

    /// The value of a parameter; empty if it is blank, as a form sends it.
    static Optional<String> given(Request request, String name) {
        return request.query(name).filter(text -> !text.isBlank());
    }

    /// The default time span of commands that search the journal.
    ///
    /// @throws ProblemException when it is neither an age nor an instant from 1970 to 9999
    static Instant since(Request request, InstantSource clock) {
        return since(request, USUAL, clock);
    }

    /// `7d`, or an ISO instant.
    ///
    /// @throws ProblemException when it is neither, or not from 1970 to 9999
    static Instant since(Request request, String usual, InstantSource clock) {
        return time(SINCE, given(request, SINCE).orElse(usual), clock);
    }

    /// The same for a search that looks back to the beginning.
    static Instant sinceOrEver(Request request, InstantSource clock) {
        return given(request, SINCE).map(text -> time(SINCE, text, clock)).orElse(Instant.EPOCH);
    }

    /// [Instant#MAX] if it is not given.
    ///
    /// @throws ProblemException when it is neither an age nor an instant from 1970 to 9999
    static Instant before(Request request, InstantSource clock) {
        return given(request, BEFORE).map(text -> time(BEFORE, text, clock)).orElse(Instant.MAX);
    }

    /// Start of a day in UTC.
    ///
    /// @throws ProblemException when it is no day, or given with another time
    static Optional<Instant> day(Request request) {
        Optional<String> text = given(request, DAY);
        if (text.isPresent()
                && (given(request, SINCE).isPresent() || given(request, BEFORE).isPresent())) {
            throw wrong(DAY, "not with since or before");
        }
        return text.map(day -> {
            try {
                return bounded(
                        DAY, LocalDate.parse(day).atStartOfDay(ZoneOffset.UTC).toInstant());
            } catch (DateTimeException malformed) {
                throw wrong(DAY, "as 2031-12-31");
            }
        });
    }

    private static Instant time(String name, String text, InstantSource clock) {
        try {
            return text.indexOf('T') < 0
                    ? clock.instant().minus(ScalarReader.duration(text))
                    : bounded(name, Instant.parse(text));
        } catch (IllegalArgumentException | DateTimeException | ArithmeticException malformed) {
            throw wrong(name, "as 7d, 12h, 30m or 2031-12-31T12:00:00Z");
        }
    }

    private static Instant bounded(String name, Instant time) {
        if (time.isBefore(Instant.EPOCH) || !time.isBefore(END)) {
            throw wrong(name, "a year from 1970 to 9999");
        }
        return time;
    }

    /// @throws ProblemException when it is out of bounds
    static int limit(Request request) {
        String text = request.query(LIMIT).orElse(USUAL_LIMIT);
        if (!TextScan.consistsOf(text, TextScan::isDigit, 1, 4)
                || Integer.parseInt(text) < 1
                || Integer.parseInt(text) > MAX_LIMIT) {
            throw wrong(LIMIT, "1 to " + MAX_LIMIT);
        }
        return Integer.parseInt(text);
    }

    static ProblemException wrong(String parameter, String expected) {
        return new ProblemException(Problem.badRequest(parameter + ": " + expected));
    }
}
