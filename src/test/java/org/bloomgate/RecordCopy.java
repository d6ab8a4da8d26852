package org.bloomgate;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;

/// Copies of option records with one component replaced, for tests.
public final class RecordCopy {
    private RecordCopy() {}

    /// @param component by name
    @SuppressWarnings("unchecked")
    public static <R extends Record> R with(R record, String component, Object value) {
        RecordComponent[] components = record.getClass().getRecordComponents();
        Object[] values = new Object[components.length];
        boolean known = false;
        try {
            for (int i = 0; i < components.length; i++) {
                boolean replaced = components[i].getName().equals(component);
                values[i] = replaced ? value : components[i].getAccessor().invoke(record);
                known |= replaced;
            }
            if (!known) {
                throw new IllegalArgumentException("no component " + component);
            }
            Class<?>[] types =
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
            return (R) record.getClass().getDeclaredConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
