package org.bloomgate.base.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.base.config.ConfigNode.Mapping;
import org.bloomgate.base.config.ConfigNode.Origin;

/// Finds the settings of a configuration whose values differ from the defaults.
final class ChangedSettings {
    private final Map<String, Object> values;
    private final Map<String, Object> defaults;
    private final List<ExplicitSetting> found = new ArrayList<>();

    private ChangedSettings(Record value, Record defaults) {
        this.values = ConfigReader.effective(value);
        this.defaults = ConfigReader.effective(defaults);
    }

    /// Every single value or list that the tree contains and that differs, in order of the tree.
    static List<ExplicitSetting> of(ConfigNode tree, Record value, Record defaults) {
        ChangedSettings changed = new ChangedSettings(value, defaults);
        changed.collect(tree, tree.origin(), "");
        return List.copyOf(changed.found);
    }

    private void collect(ConfigNode node, Origin key, String path) {
        if (node instanceof Mapping mapping && !mapping.entries().isEmpty()) {
            mapping.entries()
                    .forEach((name, value) ->
                            collect(value, mapping.keys().getOrDefault(name, key), OptionRecords.join(path, name)));
            return;
        }
        String text = text(values, path);
        if (!text.equals(text(defaults, path))) {
            found.add(new ExplicitSetting(path, key.toString(), text));
        }
    }

    /// The value at a path. Of a key that only stands for others, such as `default` of a map, it is that of the map.
    private static String text(Map<?, ?> values, String path) {
        Optional<? extends Map.Entry<?, ?>> entry = values.entrySet().stream()
                .filter(one -> path.equals(one.getKey()) || path.startsWith(one.getKey() + "."))
                .max(Comparator.comparingInt(one -> String.valueOf(one.getKey()).length()));
        if (entry.isEmpty()) {
            return ConfigReader.text(values);
        }
        String name = String.valueOf(entry.get().getKey());
        return entry.get().getValue() instanceof Map<?, ?> below && path.length() > name.length()
                ? text(below, path.substring(name.length() + 1))
                : ConfigReader.text(entry.get().getValue());
    }
}
