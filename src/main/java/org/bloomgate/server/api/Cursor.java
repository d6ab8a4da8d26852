package org.bloomgate.server.api;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Function;
import org.bloomgate.server.http.ProblemException;
import org.bloomgate.server.http.Request;

/// The query parameter that continues a search: opaque text from an earlier answer.
final class Cursor {
    static final String NAME = "cursor";

    private static final int MAX_CHARS = 200;

    private Cursor() {}

    static String of(String position) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(position.getBytes(StandardCharsets.UTF_8));
    }

    /// The position in the cursor of a request; empty without a cursor.
    ///
    /// @param parse empty for text that is not a position
    /// @throws ProblemException if it is not from an answer
    static <T> Optional<T> in(Request request, Function<String, Optional<T>> parse) {
        Optional<String> cursor = SearchParameters.value(request, NAME);
        if (cursor.isEmpty()) {
            return Optional.empty();
        }
        try {
            Optional<T> position = cursor.get().length() > MAX_CHARS
                    ? Optional.empty()
                    : parse.apply(new String(Base64.getUrlDecoder().decode(cursor.get()), StandardCharsets.UTF_8));
            return Optional.of(position.orElseThrow(Cursor::invalid));
        } catch (IllegalArgumentException noBase64) {
            throw invalid();
        }
    }

    private static ProblemException invalid() {
        return SearchParameters.invalid(NAME, "not one of an earlier answer");
    }
}
