package org.bloomgate.hook;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bloomgate.hook.HookMessage.Change;
import org.bloomgate.hook.HookMessage.Place;
import org.bloomgate.transit.TagFields.Field;

/// What a mail server is to change in the header of a mail that it keeps or lets through.
///
/// @param added on top, in the order in which they are to stand
/// @param deleted in the order in which they stand
record HookEdits(List<Field> added, List<Place> deleted, Optional<Change> changed) {
    static final HookEdits NONE = new HookEdits(List.of(), List.of(), Optional.empty());

    HookEdits {
        added = List.copyOf(added);
        deleted = List.copyOf(deleted);
    }

    /// The fields on top, and those that look like ours away.
    static HookEdits of(HookMessage message, List<Field> added) {
        return new HookEdits(added, message.forged(), Optional.empty());
    }

    /// These, and the prefix before the subject, which is made if there is none.
    HookEdits marked(HookMessage message, String prefix) {
        if (prefix.isEmpty() || message.hasSubject()) {
            return new HookEdits(added, deleted, prefix.isEmpty() ? Optional.empty() : message.marked(prefix));
        }
        List<Field> withSubject = new ArrayList<>(added);
        withSubject.add(new Field("Subject", prefix));
        return new HookEdits(withSubject, deleted, Optional.empty());
    }

    boolean isEmpty() {
        return added.isEmpty() && deleted.isEmpty() && changed.isEmpty();
    }
}
