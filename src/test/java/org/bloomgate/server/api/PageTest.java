package org.bloomgate.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.bloomgate.server.http.ProblemException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageTest {
    private static final Instant TIME = Instant.parse("2026-01-02T03:04:05Z");
    private static final List<Instant> THREE = Collections.nCopies(3, TIME);
    private static final List<Instant> NEWER_AND_THREE =
            List.of(TIME, TIME.plusSeconds(1), TIME, TIME.plusSeconds(2), TIME);

    private static Page<Instant> after(String position, List<Instant> records) {
        return Page.byTime(
                QueryOf.parameter(SearchParameters.CURSOR, SearchParameters.cursor(position)),
                records,
                Function.identity());
    }

    @Test
    void cursor_goesOnAfterAsManyOfItsTime() {
        assertEquals(2, after(TIME + "~1", NEWER_AND_THREE).records().size());
        assertEquals(0, after(TIME + "~3", NEWER_AND_THREE).records().size());
    }

    @Test
    void cursorOfNineDigits_isClampedToTheList() {
        assertEquals(new Page<>(List.of(), Optional.empty()), after(TIME + "~999999999", NEWER_AND_THREE));
        assertEquals(
                List.of(TIME),
                after(TIME.plusSeconds(1) + "~999999999", List.of(TIME)).records());
    }

    @ParameterizedTest
    @ValueSource(strings = {"1000000000", "2147483647", "2147483648", "4294967295", "-1", "+1", "", "1~1"})
    void cursorWithAnotherNumber_isRefused(String same) {
        for (List<Instant> records : List.of(THREE, NEWER_AND_THREE)) {
            assertThrows(ProblemException.class, () -> after(TIME + "~" + same, records));
        }
    }
}
