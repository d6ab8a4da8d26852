package org.bloomgate.base.config;

import java.lang.reflect.RecordComponent;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// The keys that are read when the program starts, by [RequiresRestart].
final class RestartKeys {
    private final Set<String> found = new TreeSet<>();

    private RestartKeys() {}

    /// The keys that need a restart and whose values differ. An entry of a map that only one of both has counts
    /// only if a key below it needs a restart.
    static Set<String> differing(Record before, Record after) {
        RestartKeys keys = new RestartKeys();
        keys.compare(before, after, "", Optional.empty());
        return keys.found;
    }

    private void compare(Record before, Record after, String path, Optional<RequiresRestart> above) {
        for (RecordComponent component : before.getClass().getRecordComponents()) {
            Object old = OptionRecords.get(component, before);
            Object next = OptionRecords.get(component, after);
            Optional<RequiresRestart> mark = Optional.ofNullable(component.getAnnotation(RequiresRestart.class))
                    .or(() -> above);
            String name = OptionRecords.path(path, component);
            if (OptionRecords.isSection(old)) {
                compare((Record) old, (Record) next, name, mark);
            } else if (mark.isPresent() && !old.equals(next)) {
                found.add((name + " " + mark.get().value()).strip());
            } else if (mark.isEmpty() && old instanceof Map<?, ?> one && next instanceof Map<?, ?> other) {
                compare(one, other, name);
            }
        }
    }

    private void compare(Map<?, ?> before, Map<?, ?> after, String path) {
        Set<Object> names = new HashSet<>(before.keySet());
        names.addAll(after.keySet());
        for (Object name : names) {
            Object old = before.get(name);
            Object next = after.get(name);
            String entry = path + "." + ScalarReader.write(name);
            if (old instanceof Record one && next instanceof Record other) {
                compare(one, other, entry, Optional.empty());
            } else if ((old == null ? next : old) instanceof Record only
                    && !among(only).isEmpty()) {
                found.add(entry);
            }
        }
    }

    /// Every such key of a record.
    static Set<String> among(Record record) {
        RestartKeys keys = new RestartKeys();
        OptionRecords.each(record, (path, _, atStart) -> {
            if (atStart) {
                keys.found.add(path);
            }
        });
        return keys.found;
    }
}
