package org.bloomgate.base.config;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Reflection over option records. They are public records of public types, so every failure here is a mistake
/// in the program, except the `IllegalArgumentException` with which a constructor rejects its values.
final class OptionRecords {
    private OptionRecords() {}

    static Object get(RecordComponent component, Record record) {
        try {
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Returns the arguments that construct an equal record.
    static Object[] collectValues(Record record) {
        return Arrays.stream(record.getClass().getRecordComponents())
                .map(component -> get(component, record))
                .toArray();
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
            if (e.getCause() instanceof IllegalArgumentException rejection) {
                throw rejection;
            }
            throw new IllegalStateException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    static Record createDefaults(Class<?> type) {
        try {
            return (Record) type.getMethod("defaults").invoke(null);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(type.getName() + " has no static defaults()", e);
        }
    }

    /// Returns the problems that a record finds in its own values, by its `problems()` if it has one.
    static List<String> findProblems(Record record) {
        try {
            Object problems = record.getClass().getMethod("problems").invoke(record);
            return ((List<?>) problems).stream().map(String::valueOf).toList();
        } catch (NoSuchMethodException e) {
            return List.of();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Receives each option: its path (`smtp.maxMessageBytes`), its value and whether it is read only at start.
    interface Visitor {
        void visit(String path, Object value, boolean atStart);
    }

    /// Visits every option of the record and of the records in it.
    static void forEachOption(Record record, Visitor visitor) {
        forEachOption(record, "", false, visitor);
    }

    private static void forEachOption(Record record, String above, boolean atStart, Visitor visitor) {
        for (RecordComponent component : record.getClass().getRecordComponents()) {
            if (component.isAnnotationPresent(NotASetting.class)) {
                continue;
            }
            String path = joinPath(above, component);
            Object value = get(component, record);
            boolean marked = atStart || component.isAnnotationPresent(RequiresRestart.class);
            if (isSection(value)) {
                forEachOption((Record) value, path, marked, visitor);
            } else {
                visitor.visit(path, value, marked);
            }
        }
    }

    /// Returns every option by its path. A map counts as one option, whose entries have paths below it.
    static Map<String, Object> collectOptions(Record record) {
        Map<String, Object> values = new TreeMap<>();
        forEachOption(record, (path, value, _) -> values.put(path, value));
        return values;
    }

    /// Whether a value has options of its own: not a record that is read from one text, as its type or a sealed
    /// interface of it is.
    static boolean isSection(Object value) {
        return value instanceof Record
                && !ScalarReader.reads(value.getClass())
                && Arrays.stream(value.getClass().getInterfaces()).noneMatch(ScalarReader::reads);
    }

    static boolean isInline(RecordComponent component) {
        return component.isAnnotationPresent(Inline.class);
    }

    /// Returns the path of a component's value: an inline record has no key of its own.
    static String joinPath(String above, RecordComponent component) {
        return isInline(component) ? above : join(above, component.getName());
    }

    static String join(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    /// Returns the keys in the section of a record.
    static List<String> listKeys(Class<?> type) {
        return Arrays.stream(type.getRecordComponents())
                .filter(component -> !component.isAnnotationPresent(NotASetting.class))
                .flatMap(component ->
                        isInline(component) ? listKeys(component.getType()).stream() : Stream.of(component.getName()))
                .toList();
    }
}
