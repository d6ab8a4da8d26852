package org.bloomgate.base.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.base.config.ConfigNode.Mapping;
import org.bloomgate.base.config.ConfigNode.Origin;
import org.bloomgate.base.config.ConfigNode.Scalar;
import org.bloomgate.base.config.ConfigNode.Sequence;

/// Applies `--set KEY=VALUE` and `BLOOMGATE_*` variables to the tree of a file. `--set` takes precedence over
/// the environment, which takes precedence over the file. A value of several items is written with commas.
final class Overrides {
    static final String PREFIX = "BLOOMGATE_";

    private Overrides() {}

    /// The tree with all overrides. A `--set` key that does not exist is reported by the binder like one in the
    /// file; variables that name no key are left to [UnknownVariables].
    static ConfigNode apply(
            ConfigNode file, Map<String, String> environment, Map<String, String> sets, Record defaults) {
        ConfigNode result = file;
        Map<String, Object> known = OptionRecords.collectOptions(defaults);
        for (Map.Entry<String, String> variable : environment.entrySet()) {
            Optional<String> path = findPath(variable.getKey(), known);
            if (path.isPresent()) {
                result = put(result, path.get(), variable.getValue(), new Origin(variable.getKey(), 0), known);
            }
        }
        for (Map.Entry<String, String> set : sets.entrySet()) {
            result = put(
                    result, set.getKey(), set.getValue(), new Origin(ExplicitSetting.OPTION + set.getKey(), 0), known);
        }
        return result;
    }

    /// Returns the path that a variable stands for: the words of the path in upper case, joined with `_`. Keys
    /// of a map are in lower case.
    static Optional<String> findPath(String variable, Map<String, Object> known) {
        if (!variable.startsWith(PREFIX)) {
            return Optional.empty();
        }
        String suffix = variable.substring(PREFIX.length());
        for (Map.Entry<String, Object> entry : known.entrySet()) {
            String name = entry.getKey().replace('.', '_').toUpperCase(Locale.ROOT);
            if (suffix.equals(name)) {
                return Optional.of(entry.getKey());
            }
            if (entry.getValue() instanceof Map && suffix.startsWith(name + "_")) {
                String key = suffix.substring(name.length() + 1).toLowerCase(Locale.ROOT);
                return Optional.of(entry.getKey() + "." + key);
            }
        }
        return Optional.empty();
    }

    private static ConfigNode put(ConfigNode root, String path, String text, Origin origin, Map<String, Object> known) {
        return put(root, List.of(path.split("\\.", -1)), createValue(path, text, origin, known), origin);
    }

    private static ConfigNode createValue(String path, String text, Origin origin, Map<String, Object> known) {
        if (!(known.get(path) instanceof Collection<?>)) {
            return new Scalar(origin, text);
        }
        Optional<ConfigNode> list = parseBracketedList(text, origin);
        if (list.isPresent()) {
            return list.get();
        }
        List<ConfigNode> items = new ArrayList<>();
        for (String item : text.split(",", -1)) {
            if (!item.isBlank()) {
                items.add(new Scalar(origin, item.strip()));
            }
        }
        return new Sequence(origin, items);
    }

    /// Parses a list in brackets, as in YAML and JSON; empty if the text is not one.
    private static Optional<ConfigNode> parseBracketedList(String text, Origin origin) {
        if (!text.strip().startsWith("[") || !text.strip().endsWith("]")) {
            return Optional.empty();
        }
        try {
            return ConfigParser.parse("", "value: " + text) instanceof Mapping parsed
                            && parsed.entries().get("value") instanceof Sequence list
                    ? Optional.of(new Sequence(
                            origin,
                            list.items().stream()
                                    .map(item -> withOrigin(origin, item))
                                    .toList()))
                    : Optional.empty();
        } catch (ConfigException e) {
            return Optional.empty();
        }
    }

    private static ConfigNode withOrigin(Origin origin, ConfigNode item) {
        return item instanceof Scalar scalar ? new Scalar(origin, scalar.text()) : item;
    }

    private static ConfigNode put(ConfigNode node, List<String> path, ConfigNode value, Origin origin) {
        if (path.isEmpty()) {
            return value;
        }
        Map<String, ConfigNode> entries = new LinkedHashMap<>();
        Map<String, Origin> keys = new LinkedHashMap<>();
        if (node instanceof Mapping mapping) {
            entries.putAll(mapping.entries());
            keys.putAll(mapping.keys());
        }
        String key = path.getFirst();
        ConfigNode below = entries.getOrDefault(key, new Mapping(origin, Map.of(), Map.of()));
        entries.put(key, put(below, path.subList(1, path.size()), value, origin));
        keys.put(key, origin);
        return new Mapping(origin, entries, keys);
    }
}
