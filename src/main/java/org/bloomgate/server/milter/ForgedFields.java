package org.bloomgate.server.milter;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.bloomgate.server.spool.TagFields;

/// Fields of a message that imitate Bloomgate's own. They are not evaluated, and the mail server is asked to
/// delete them.
final class ForgedFields {
    /// Of one message. Each takes memory, and no honest message has any.
    static final int MAX_FIELDS = 1_000;

    private final TreeMap<String, Integer> counts = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private int fields;

    /// Counts a field of this name if it is one.
    boolean takes(String name) {
        if (!TagFields.isForged(name)) {
            return false;
        }
        if (++fields <= MAX_FIELDS) {
            counts.merge(name, 1, Integer::sum);
        }
        return true;
    }

    boolean tooMany() {
        return fields > MAX_FIELDS;
    }

    /// From the highest index of a name down, so that none moves before its turn.
    List<Answer> deletions() {
        List<Answer> deletions = new ArrayList<>();
        counts.forEach((name, count) -> {
            for (int index = count; index > 0; index--) {
                deletions.add(Answer.change(index, name, ""));
            }
        });
        return deletions;
    }
}
