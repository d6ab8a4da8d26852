package org.bloomgate.server.api;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Function;
import org.bloomgate.server.http.ProblemException;
import org.bloomgate.server.http.Request;

/// The query parameter with which a search goes on: text that an answer gave, and that means nothing to clients.
final class Cursor {
    static final String NAME = "cursor";

    private static final int MAX_CHARS = 200;

    private Cursor() {}

    static String of(String position) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(position.getBytes(StandardCharsets.UTF_8));
    }

    /// Empty without one.
    ///
    /// @param parse empty for text that is not a position
    /// @throws ProblemException when it is not from an answer
    static <T> Optional<T> in(Request request, Function<String, Optional<T>> parse) {
        Optional<String> given = LookedBack.given(request, NAME);
        if (given.isEmpty()) {
            return Optional.empty();
        }
        try {
            Optional<T> position = given.get().length() > MAX_CHARS
                    ? Optional.empty()
                    : parse.apply(new String(Base64.getUrlDecoder().decode(given.get()), StandardCharsets.UTF_8));
            return Optional.of(position.orElseThrow(Cursor::wrong));
        } catch (IllegalArgumentException noBase64) {
            throw wrong();
        }
    }

    private static ProblemException wrong() {
        return LookedBack.wrong(NAME, "not one of an earlier answer");
    }
}
