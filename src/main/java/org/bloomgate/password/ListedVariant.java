package org.bloomgate.password;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.bloomgate.key.PasswordVariant.Change;

/// A listed password that another one is easily guessed from.
///
/// @param changes labels of what leads to it, in the order of [Change]
/// @param count the highest of any list, 0 when no list counts
@JsonPropertyOrder({"changes", "count"})
public record ListedVariant(List<String> changes, long count) {
    public ListedVariant {
        changes = List.copyOf(changes);
    }

    static ListedVariant of(Set<Change> changes, long count) {
        return new ListedVariant(
                EnumSet.copyOf(changes).stream().map(Change::label).toList(), count);
    }
}
