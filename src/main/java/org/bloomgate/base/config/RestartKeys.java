package org.bloomgate.base.config;

import java.lang.reflect.RecordComponent;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// The keys that are read when the program starts, by [RequiresRestart].
final class RestartKeys {
    private final Set<String> keys = new TreeSet<>();

    private RestartKeys() {}

    /// Returns the keys that need a restart and whose values differ. An entry of a map that only one of both has
    /// counts only if a key below it needs a restart.
    static Set<String> findDiffering(Record before, Record after) {
        RestartKeys restart = new RestartKeys();
        restart.compare(before, after, "", Optional.empty());
        return restart.keys;
    }

    private void compare(Record before, Record after, String path, Optional<RequiresRestart> above) {
        for (RecordComponent component : before.getClass().getRecordComponents()) {
            Object old = OptionRecords.get(component, before);
            Object next = OptionRecords.get(component, after);
            Optional<RequiresRestart> mark = Optional.ofNullable(component.getAnnotation(RequiresRestart.class))
                    .or(() -> above);
            String name = OptionRecords.joinPath(path, component);
            if (OptionRecords.isSection(old)) {
                compare((Record) old, (Record) next, name, mark);
            } else if (mark.isPresent() && !old.equals(next)) {
                keys.add((name + " " + mark.get().value()).strip());
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
                    && !collect(only).isEmpty()) {
                keys.add(entry);
            }
        }
    }

    /// Returns every key of a record that needs a restart.
    static Set<String> collect(Record record) {
        RestartKeys restart = new RestartKeys();
        OptionRecords.forEachOption(record, (path, _, atStart) -> {
            if (atStart) {
                restart.keys.add(path);
            }
        });
        return restart.keys;
    }
}
