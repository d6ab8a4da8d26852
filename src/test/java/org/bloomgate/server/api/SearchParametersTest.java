package org.bloomgate.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.bloomgate.server.http.ProblemException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SearchParametersTest {
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-01-02T03:04:05Z"));

    private static Instant before(String text) {
        return SearchParameters.before(QueryOf.parameter(SearchParameters.BEFORE, text), CLOCK);
    }

    private static Instant since(String text) {
        return SearchParameters.since(QueryOf.parameter(SearchParameters.SINCE, text), CLOCK);
    }

    private static Optional<Instant> day(String text) {
        return SearchParameters.day(QueryOf.parameter(SearchParameters.DAY, text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1970-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z"})
    void instantAtABound_isTaken(String text) {
        assertEquals(Instant.parse(text), before(text));
        assertEquals(Instant.parse(text), since(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1969-12-31T23:59:59.999999999Z",
                "+10000-01-01T00:00:00Z",
                "+1000000000-12-31T23:59:59Z",
                "-1000000000-01-01T00:00:00Z"
            })
    void instantBeyondABound_isRefused(String text) {
        assertThrows(ProblemException.class, () -> before(text));
        assertThrows(ProblemException.class, () -> since(text));
    }

    @Test
    void day_isFrom1970To9999() {
        assertEquals(Optional.of(Instant.EPOCH), day("1970-01-01"));
        assertEquals(Optional.of(Instant.parse("9999-12-31T00:00:00Z")), day("9999-12-31"));
        assertThrows(ProblemException.class, () -> day("1969-12-31"));
        assertThrows(ProblemException.class, () -> day("+10000-01-01"));
        assertThrows(ProblemException.class, () -> day("+999999999-12-31"));
    }
}
