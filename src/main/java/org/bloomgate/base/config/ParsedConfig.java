package org.bloomgate.base.config;

import java.util.List;

/// The values of a valid configuration file, with the lines of its keys.
public final class ParsedConfig<R extends Record> {
    private final R value;
    private final ConfigNode node;

    ParsedConfig(R value, ConfigNode node) {
        this.value = value;
        this.node = node;
    }

    public R value() {
        return value;
    }

    /// The settings whose values differ from the defaults, each with its place.
    public List<ExplicitSetting> changed(R defaults) {
        return ChangedSettings.of(node, value, defaults);
    }

    /// The problems as errors with the line of the key that each is about.
    ///
    /// @param problems each begins with its key, as `smtp.tls.certificate: ..` or `feeds[3].source: ..`
    public List<ConfigError> errors(List<String> problems) {
        return problems.stream()
                .map(problem -> new ConfigError(
                        SettingLocation.written(problem, node)
                                .map(Object::toString)
                                .orElse(""),
                        problem))
                .toList();
    }
}
