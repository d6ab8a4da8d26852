package org.bloomgate.base.config;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.bloomgate.base.config.ConfigNode.Mapping;
import org.bloomgate.base.config.ConfigNode.Origin;
import org.bloomgate.base.config.ConfigNode.Scalar;

/// A [ScalarOrMap] as a map with an entry for each constant.
///
/// @param shared the value of every constant that has none of its own
/// @param entries the entries of the file, and this value for every other constant
record DefaultExpansion(Optional<ConfigNode> shared, ConfigNode entries) {
    private static final String DEFAULT = "default";

    /// @param constants an enum
    static DefaultExpansion of(ConfigNode value, Class<?> constants) {
        List<String> names = Arrays.stream(constants.getEnumConstants())
                .map(constant -> ScalarReader.label((Enum<?>) constant))
                .toList();
        return switch (value) {
            case Scalar one -> expand(one, one.origin(), names, new Mapping(one.origin(), Map.of(), Map.of()));
            case Mapping mapping
            when mapping.entries().containsKey(DEFAULT) && !names.contains(DEFAULT) -> {
                Map<String, ConfigNode> own = new LinkedHashMap<>(mapping.entries());
                ConfigNode rest = Objects.requireNonNull(own.remove(DEFAULT));
                Origin at = mapping.keys().getOrDefault(DEFAULT, rest.origin());
                yield expand(rest, at, names, new Mapping(mapping.origin(), own, mapping.keys()));
            }
            case Mapping _, ConfigNode.Sequence _ -> new DefaultExpansion(Optional.empty(), value);
        };
    }

    private static DefaultExpansion expand(ConfigNode value, Origin at, List<String> names, Mapping own) {
        Map<String, ConfigNode> entries = new LinkedHashMap<>();
        Map<String, Origin> keys = new LinkedHashMap<>();
        names.forEach(name -> {
            entries.put(name, value);
            keys.put(name, at);
        });
        entries.putAll(own.entries());
        keys.putAll(own.keys());
        return new DefaultExpansion(Optional.of(value), new Mapping(own.origin(), entries, keys));
    }
}
