package org.bloomgate.server.milter;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.bloomgate.server.spool.TagFields;

/// Fields of a message that imitate the fields of Bloomgate. They are not evaluated, and the mail server is requested
/// to delete them.
final class ForgedFields {
    /// The most forged fields of one message: each takes memory, and no legitimate message has any.
    static final int MAX_FIELDS = 1_000;

    private final TreeMap<String, Integer> counts = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private int fields;

    /// Counts the field if its name is forged.
    ///
    /// @return whether it is
    boolean countIfForged(String name) {
        if (!TagFields.isForged(name)) {
            return false;
        }
        if (++fields <= MAX_FIELDS) {
            counts.merge(name, 1, Integer::sum);
        }
        return true;
    }

    boolean hasTooMany() {
        return fields > MAX_FIELDS;
    }

    /// Returns the deletions, from the highest index of a name down, so that no index changes before its deletion.
    List<MilterResponse> createDeletions() {
        List<MilterResponse> deletions = new ArrayList<>();
        counts.forEach((name, count) -> {
            for (int index = count; index > 0; index--) {
                deletions.add(MilterResponse.change(index, name, ""));
            }
        });
        return deletions;
    }
}
