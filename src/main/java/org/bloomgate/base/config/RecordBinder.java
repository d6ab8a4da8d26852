package org.bloomgate.base.config;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.bloomgate.base.config.ConfigNode.Mapping;
import org.bloomgate.base.config.ConfigNode.Origin;
import org.bloomgate.base.config.ConfigNode.Scalar;
import org.bloomgate.base.config.ConfigNode.Sequence;

/// Applies a [ConfigNode] to an option record that holds the defaults. Component names are the keys. All errors
/// of values and keys are collected, so that one run shows them. A record checks its own values only if each of
/// them is valid.
///
/// Components may be scalars (see [ScalarReader]), `Optional` of a scalar, nested records, lists and sets, and
/// maps with scalar keys. A map in the file overrides the default map entry by entry. A list may contain
/// records that have a static `defaults()`; the keys of an [Inline] record are keys of the section around it.
/// Problems that a record finds in its own values are reported: the message of an `IllegalArgumentException` of
/// its constructor and the lines of its `problems()`, each of which begins with the key it is about.
final class RecordBinder {
    private final List<ConfigError> errors = new ArrayList<>();

    List<ConfigError> errors() {
        return errors;
    }

    /// The record with the values of the node; components that the node does not name keep their default. With an
    /// error, the record is of no use.
    <R extends Record> R bind(ConfigNode node, R defaults) {
        return cast(defaults, bindRecord(node, defaults, ""));
    }

    @SuppressWarnings("unchecked")
    private static <R extends Record> R cast(R like, Record bound) {
        return (R) like.getClass().cast(bound);
    }

    private Record bindRecord(ConfigNode node, Record defaults, String path) {
        if (!(node instanceof Mapping mapping)) {
            String instead = node instanceof Scalar one && !one.text().isEmpty() ? ", not '" + one.text() + "'" : "";
            addError(node.origin(), path, " takes keys and values" + instead);
            return defaults;
        }
        int before = errors.size();
        List<String> names = OptionRecords.listKeys(defaults.getClass());
        mapping.keys().forEach((key, at) -> checkKnown(key, at, names, path));
        return bindKeys(mapping, defaults, path, before);
    }

    /// @param before number of errors before this section
    private Record bindKeys(Mapping mapping, Record defaults, String path, int before) {
        RecordComponent[] components = defaults.getClass().getRecordComponents();
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            values[i] = bindComponent(mapping, components[i], OptionRecords.get(components[i], defaults), path);
        }
        return errors.size() > before ? defaults : construct(defaults, values, mapping, path);
    }

    private Object bindComponent(Mapping mapping, RecordComponent component, Object fallback, String path) {
        if (OptionRecords.isInline(component)) {
            return bindKeys(mapping, (Record) fallback, path, errors.size());
        }
        ConfigNode value = mapping.entries().get(component.getName());
        String at = OptionRecords.joinPath(path, component);
        boolean empty = component.isAnnotationPresent(EmptyIsDefault.class)
                && value instanceof Scalar scalar
                && scalar.text().isEmpty();
        if (value == null || empty || component.isAnnotationPresent(NotASetting.class)) {
            return fallback;
        }
        return component.isAnnotationPresent(ScalarOrMap.class)
                ? bindScalarOrMap(value, (ParameterizedType) component.getGenericType(), fallback, at)
                : bindValue(value, component.getGenericType(), fallback, at);
    }

    /// A wrong value for all constants is reported once.
    private Object bindScalarOrMap(ConfigNode value, ParameterizedType map, Object fallback, String path) {
        Type[] arguments = map.getActualTypeArguments();
        DefaultExpansion every = DefaultExpansion.of(value, (Class<?>) arguments[0]);
        boolean sound = every.shared()
                .map(one -> validOrEmpty(() -> bindElement(one, (Class<?>) arguments[1], path))
                        .isPresent())
                .orElse(true);
        return sound ? bindValue(every.entries(), map, fallback, path) : fallback;
    }

    /// A problem begins with the key it is about, `rates` or `tls.certificate`, which gives its line.
    private void addProblem(String problem, Mapping section, String path) {
        errors.add(new ConfigError(SettingLocation.of(problem, section).toString(), OptionRecords.join(path, problem)));
    }

    private void checkKnown(String key, Origin at, List<String> names, String path) {
        if (!names.contains(key)) {
            Optional<String> meant = NearestWord.find(key, names).map(near -> OptionRecords.join(path, near));
            String hint = meant.map(near -> "; did you mean '" + near + "'?")
                    .orElse("; known here: " + String.join(", ", names));
            errors.add(new ConfigError(at.toString(), "unknown key '" + OptionRecords.join(path, key) + "'" + hint));
        }
    }

    private Object bindValue(ConfigNode node, Type type, Object fallback, String path) {
        if (type instanceof Class<?> plain) {
            return ScalarReader.reads(plain)
                    ? bindScalar(node, plain, fallback, path)
                    : bindRecord(node, (Record) fallback, path);
        }
        ParameterizedType generic = (ParameterizedType) type;
        Type[] arguments = generic.getActualTypeArguments();
        if (generic.getRawType() == Optional.class) {
            return node instanceof Scalar empty && empty.text().isEmpty()
                    ? Optional.empty()
                    : validOrEmpty(() -> bindValue(node, arguments[0], path, path));
        } else if (generic.getRawType() == Map.class) {
            return bindMap(node, (Class<?>) arguments[0], arguments[1], (Map<?, ?>) fallback, path);
        }
        List<Object> items = bindItems(node, (Class<?>) arguments[0], path);
        return generic.getRawType() == Set.class ? new LinkedHashSet<>(items) : items;
    }

    private Object bindScalar(ConfigNode node, Class<?> type, Object fallback, String path) {
        if (!(node instanceof Scalar scalar)) {
            addError(node.origin(), path, " takes one value");
            return fallback;
        }
        try {
            return ScalarReader.read(scalar.text(), type);
        } catch (IllegalArgumentException | ArithmeticException e) {
            addError(node.origin(), path, ": " + e.getMessage());
            return fallback;
        }
    }

    private Object bindMap(ConfigNode node, Class<?> keys, Type values, Map<?, ?> fallback, String path) {
        if (!(node instanceof Mapping mapping)) {
            addError(node.origin(), path, " takes keys and values");
            return fallback;
        }
        Map<Object, Object> entries = new LinkedHashMap<>();
        mapping.entries()
                .forEach((key, value) -> validOrEmpty(() -> bindScalar(keyNode(mapping, key), keys, key, path))
                        .ifPresent(name -> validOrEmpty(() -> bindElement(value, values, OptionRecords.join(path, key)))
                                .ifPresent(element -> {
                                    if (entries.put(name, element) != null) {
                                        addError(keyNode(mapping, key).origin(), path, ": '" + key + "' appears twice");
                                    }
                                })));
        Map<Object, Object> bound = new LinkedHashMap<>(fallback);
        bound.putAll(entries);
        return bound;
    }

    private static Scalar keyNode(Mapping mapping, String key) {
        return new Scalar(mapping.keys().getOrDefault(key, mapping.origin()), key);
    }

    /// A record with an error keeps its index, so that the records after it keep theirs.
    private List<Object> bindItems(ConfigNode node, Class<?> type, String path) {
        List<ConfigNode> items = node instanceof Sequence sequence ? sequence.items() : List.of(node);
        List<Object> bound = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            ConfigNode item = items.get(i);
            String itemPath = path + "[" + i + "]";
            if (ScalarReader.reads(type)) {
                validOrEmpty(() -> bindElement(item, type, itemPath)).ifPresent(bound::add);
            } else {
                bound.add(bindElement(item, type, itemPath));
            }
        }
        return bound;
    }

    private Object bindElement(ConfigNode node, Type type, String path) {
        if (!(type instanceof Class<?> plain)) {
            return bindValue(node, type, List.of(), path);
        }
        return ScalarReader.reads(plain)
                ? bindScalar(node, plain, "", path)
                : bindRecord(node, OptionRecords.createDefaults(plain), path);
    }

    /// The value; empty if reading it added an error, because an invalid value may have the wrong type.
    private Optional<Object> validOrEmpty(Supplier<Object> reading) {
        int before = errors.size();
        Object value = reading.get();
        return errors.size() == before ? Optional.of(value) : Optional.empty();
    }

    private Record construct(Record defaults, Object[] values, Mapping section, String path) {
        try {
            Record bound = OptionRecords.construct(defaults.getClass(), values);
            OptionRecords.findProblems(bound).forEach(problem -> addProblem(problem, section, path));
            return bound;
        } catch (IllegalArgumentException e) {
            addProblem(String.valueOf(e.getMessage()), section, path);
            return defaults;
        }
    }

    /// @param message what follows the path
    private void addError(Origin origin, String path, String message) {
        errors.add(new ConfigError(origin.toString(), path + message));
    }
}
