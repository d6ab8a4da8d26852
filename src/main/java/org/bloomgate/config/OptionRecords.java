package org.bloomgate.config;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Reflection over option records. They are public records of public types, so every failure here is a mistake in the
/// program, but for the `IllegalArgumentException` a constructor throws to refuse its values.
final class OptionRecords {
    private OptionRecords() {}

    static Object get(RecordComponent component, Record record) {
        try {
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /// @throws IllegalArgumentException from the record's constructor: the values do not go together
    static Record construct(Class<? extends Record> type, Object[] values) {
        try {
            Class<?>[] parameters = Arrays.stream(type.getRecordComponents())
                    .map(RecordComponent::getType)
                    .toArray(Class<?>[]::new);
            Constructor<? extends Record> constructor = type.getDeclaredConstructor(parameters);
            return constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IllegalArgumentException refused) {
                throw refused;
            }
            throw new IllegalStateException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    static Record defaultsOf(Class<?> type) {
        try {
            return (Record) type.getMethod("defaults").invoke(null);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(type.getName() + " has no static defaults()", e);
        }
    }

    /// What the record itself finds wrong with its values, by its `problems()` when it has one.
    static List<String> problems(Record record) {
        try {
            Object problems = record.getClass().getMethod("problems").invoke(record);
            return ((List<?>) problems).stream().map(String::valueOf).toList();
        } catch (NoSuchMethodException e) {
            return List.of();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Every scalar of the record and the records in it, by its path (`smtp.maxMessageBytes`). A map counts as one
    /// path,
    /// whose entries have paths below it.
    static Map<String, Object> scalars(Record record) {
        Map<String, Object> found = new TreeMap<>();
        collect(record, "", found);
        return found;
    }

    private static void collect(Record record, String path, Map<String, Object> found) {
        for (RecordComponent component : record.getClass().getRecordComponents()) {
            String name = path.isEmpty() ? component.getName() : path + "." + component.getName();
            Object value = get(component, record);
            if (value instanceof Record nested && !ScalarReader.reads(nested.getClass())) {
                collect(nested, name, found);
            } else {
                found.put(name, value);
            }
        }
    }
}
