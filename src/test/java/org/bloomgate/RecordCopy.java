package org.bloomgate;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Optional;
import org.bloomgate.base.config.Inline;

/// Copies of option records with one component replaced, for tests. The component may stand in an inline
/// record.
public final class RecordCopy {
    private RecordCopy() {}

    /// @param component by name
    public static <R extends Record> R with(R record, String component, Object value) {
        return copy(record, component, value).orElseThrow(() -> new IllegalArgumentException("no key " + component));
    }

    @SuppressWarnings("unchecked")
    private static <R extends Record> Optional<R> copy(R record, String component, Object value) {
        RecordComponent[] components = record.getClass().getRecordComponents();
        Object[] values = new Object[components.length];
        boolean known = false;
        try {
            for (int i = 0; i < components.length; i++) {
                Object old = components[i].getAccessor().invoke(record);
                Optional<?> other = Optional.empty();
                if (components[i].getName().equals(component)) {
                    other = Optional.of(value);
                } else if (components[i].isAnnotationPresent(Inline.class)) {
                    other = copy((Record) old, component, value);
                }
                values[i] = other.isPresent() ? other.get() : old;
                known |= other.isPresent();
            }
            if (!known) {
                return Optional.empty();
            }
            Class<?>[] types =
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
            return Optional.of(
                    (R) record.getClass().getDeclaredConstructor(types).newInstance(values));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
