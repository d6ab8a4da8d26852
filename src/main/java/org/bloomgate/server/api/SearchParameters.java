package org.bloomgate.server.api;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Function;
import org.bloomgate.base.config.ScalarReader;
import org.bloomgate.core.text.TextScan;
import org.bloomgate.server.http.Problem;
import org.bloomgate.server.http.ProblemException;
import org.bloomgate.server.http.Request;

/// The query parameters of searches: start, end, limit and cursor.
final class SearchParameters {
    static final String LIMIT = "limit";
    static final String SINCE = "since";
    static final String BEFORE = "before";
    static final String DAY = "day";
    static final String CURSOR = "cursor";
    static final int MAX_LIMIT = 200;
    private static final String DEFAULT_SINCE = "7d";
    private static final String DEFAULT_LIMIT = "50";
    private static final int MAX_CURSOR_CHARS = 200;

    /// Times must be before this instant: journal lines have years of four digits, and adding to [Instant#MAX]
    /// throws.
    private static final Instant MAX_TIME = Instant.parse("+10000-01-01T00:00:00Z");

    private SearchParameters() {}

    /// The value of a parameter; empty if it is absent or blank.
    static Optional<String> value(Request request, String name) {
        return request.query(name).filter(text -> !text.isBlank());
    }

    /// The start of the search, by default 7 days ago.
    ///
    /// @throws ProblemException if it is neither an age nor an instant from 1970 to 9999
    static Instant since(Request request, InstantSource clock) {
        return since(request, DEFAULT_SINCE, clock);
    }

    /// The start of the search: an age such as `7d`, or an ISO instant.
    ///
    /// @throws ProblemException if it is neither, or not from 1970 to 9999
    static Instant since(Request request, String defaultSince, InstantSource clock) {
        return time(SINCE, value(request, SINCE).orElse(defaultSince), clock);
    }

    /// The start of the search, by default the beginning of all records.
    static Instant sinceOrEver(Request request, InstantSource clock) {
        return value(request, SINCE).map(text -> time(SINCE, text, clock)).orElse(Instant.EPOCH);
    }

    /// The end of the search, by default [Instant#MAX].
    ///
    /// @throws ProblemException if it is neither an age nor an instant from 1970 to 9999
    static Instant before(Request request, InstantSource clock) {
        return value(request, BEFORE).map(text -> time(BEFORE, text, clock)).orElse(Instant.MAX);
    }

    /// The start of the requested day in UTC.
    ///
    /// @throws ProblemException if it is not a day, or is combined with another time
    static Optional<Instant> day(Request request) {
        Optional<String> text = value(request, DAY);
        if (text.isPresent()
                && (value(request, SINCE).isPresent() || value(request, BEFORE).isPresent())) {
            throw invalid(DAY, "not with since or before");
        }
        return text.map(day -> {
            try {
                return requireInBounds(
                        DAY, LocalDate.parse(day).atStartOfDay(ZoneOffset.UTC).toInstant());
            } catch (DateTimeException e) {
                throw invalid(DAY, "as 2031-12-31");
            }
        });
    }

    private static Instant time(String name, String text, InstantSource clock) {
        try {
            return text.indexOf('T') < 0
                    ? clock.instant().minus(ScalarReader.duration(text))
                    : requireInBounds(name, Instant.parse(text));
        } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
            throw invalid(name, "as 7d, 12h, 30m or 2031-12-31T12:00:00Z");
        }
    }

    private static Instant requireInBounds(String name, Instant time) {
        if (time.isBefore(Instant.EPOCH) || !time.isBefore(MAX_TIME)) {
            throw invalid(name, "a year from 1970 to 9999");
        }
        return time;
    }

    /// The requested number of records.
    ///
    /// @throws ProblemException if it is out of bounds
    static int limit(Request request) {
        String text = request.query(LIMIT).orElse(DEFAULT_LIMIT);
        if (!TextScan.consistsOf(text, TextScan::isDigit, 1, 4)
                || Integer.parseInt(text) < 1
                || Integer.parseInt(text) > MAX_LIMIT) {
            throw invalid(LIMIT, "1 to " + MAX_LIMIT);
        }
        return Integer.parseInt(text);
    }

    /// The cursor of a position: opaque text that continues the search.
    static String cursor(String position) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(position.getBytes(StandardCharsets.UTF_8));
    }

    /// The position in the cursor of a request; empty without a cursor.
    ///
    /// @param parse empty for text that is not a position
    /// @throws ProblemException if it is not from an answer
    static <T> Optional<T> position(Request request, Function<String, Optional<T>> parse) {
        Optional<String> cursor = value(request, CURSOR);
        if (cursor.isEmpty()) {
            return Optional.empty();
        }
        try {
            Optional<T> position = cursor.get().length() > MAX_CURSOR_CHARS
                    ? Optional.empty()
                    : parse.apply(new String(Base64.getUrlDecoder().decode(cursor.get()), StandardCharsets.UTF_8));
            return Optional.of(position.orElseThrow(SearchParameters::invalidCursor));
        } catch (IllegalArgumentException noBase64) {
            throw invalidCursor();
        }
    }

    private static ProblemException invalidCursor() {
        return invalid(CURSOR, "not one of an earlier answer");
    }

    /// @param absent the value of a missing parameter
    /// @throws ProblemException if it is neither `true` nor `false`
    static boolean isTrue(Request request, String name, boolean absent) {
        return switch (request.query(name).orElse(Boolean.toString(absent))) {
            case "true" -> true;
            case "false" -> false;
            default -> throw invalid(name, "true or false");
        };
    }

    /// @param parameter a parameter of the query, or a field of the body
    static ProblemException invalid(String parameter, String expected) {
        return new ProblemException(Problem.badRequest(parameter + ": " + expected));
    }
}
