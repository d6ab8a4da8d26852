package org.bloomgate.base.config;

import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// An enum whose constants have labels: their words in configuration, JSON, logs and metrics.
public interface Labelled {
    /// The label of this constant: its name in lower case, with hyphens, unless the enum overrides this method.
    default String label() {
        return Labels.of((Enum<?>) this);
    }

    /// The constant with a label; empty if there is none.
    static <E extends Enum<E> & Labelled> Optional<E> find(Class<E> type, String label) {
        return Stream.of(type.getEnumConstants())
                .filter(constant -> constant.label().equals(label))
                .findFirst();
    }

    /// The labels that are made from names. They are made once, as every message has labels in its metrics.
    final class Labels {
        private static final ClassValue<Map<Object, String>> BY_CONSTANT = new ClassValue<>() {
            @Override
            protected Map<Object, String> computeValue(Class<?> type) {
                return Stream.of(type.getEnumConstants())
                        .collect(Collectors.toUnmodifiableMap(
                                constant -> constant,
                                constant -> ((Enum<?>) constant)
                                        .name()
                                        .toLowerCase(Locale.ROOT)
                                        .replace('_', '-')));
            }
        };

        private Labels() {}

        static String of(Enum<?> constant) {
            return Objects.requireNonNull(
                    BY_CONSTANT.get(constant.getDeclaringClass()).get(constant));
        }
    }
}
