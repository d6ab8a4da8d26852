package org.bloomgate.server.api;

import java.util.List;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.server.http.Problem;
import org.bloomgate.server.http.ProblemException;

/// The `items` of a request that looks up several values.
final class RequestItems {
    private RequestItems() {}

    /// @throws ProblemException if there are more
    static <T> List<T> requireAtMost(int maxItems, List<T> items) {
        if (items.size() > maxItems) {
            throw new ProblemException(Problem.tooMany(maxItems));
        }
        return items;
    }

    /// @throws ProblemException if no kind has this name
    static KeyKind kind(int index, String label) {
        return KeyKind.ofLabel(label).orElseThrow(() -> invalid(index, "kind", "expected one of " + KeyKind.labels()));
    }

    static ProblemException invalid(int index, String field, String expected) {
        return SearchParameters.invalid("items[" + index + "]." + field, expected);
    }
}
