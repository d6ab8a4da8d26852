package org.bloomgate.base.config;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

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
        return settings(defaults).stream()
                .filter(Setting::differs)
                .flatMap(setting -> setting.origin().stream()
                        .map(where -> new ExplicitSetting(setting.key(), where, setting.value())))
                .toList();
    }

    /// Every key with its value, those that differ from their default first.
    public List<Setting> settings(R defaults) {
        Map<String, Object> defaultValues = flatten(ConfigReader.effective(defaults));
        return flatten(ConfigReader.effective(value)).entrySet().stream()
                .map(entry -> createSetting(
                        entry.getKey(), entry.getValue(), Optional.ofNullable(defaultValues.get(entry.getKey()))))
                .sorted(Comparator.comparing(setting -> !setting.differs()))
                .toList();
    }

    /// The same values with a key for each entry of a map.
    private static Map<String, Object> flatten(Map<String, Object> values) {
        Map<String, Object> flat = new LinkedHashMap<>();
        values.forEach((key, value) -> collect(key, value, flat));
        return flat;
    }

    private static void collect(String key, Object value, Map<String, Object> into) {
        if (value instanceof Map<?, ?> entries && !entries.isEmpty()) {
            entries.forEach((name, entry) -> collect(OptionRecords.join(key, String.valueOf(name)), entry, into));
        } else {
            into.put(key, value);
        }
    }

    private Setting createSetting(String key, Object value, Optional<Object> defaultValue) {
        Optional<ConfigNode.Origin> origin = SettingLocation.explicitOrigin(key, node);
        Optional<ConfigNode.Origin> inFile = origin.filter(at -> at.line() > 0);
        String text = ConfigReader.text(value);
        String defaultText = defaultValue.map(ConfigReader::text).orElse("");
        return new Setting(
                key,
                text,
                defaultText,
                !text.equals(defaultText),
                origin.map(ConfigNode.Origin::toString),
                inFile.map(ConfigNode.Origin::source),
                inFile.map(at -> OptionalInt.of(at.line())).orElse(OptionalInt.empty()));
    }

    /// The problems as errors with the line of the key that each is about.
    ///
    /// @param problems each begins with its key, for example `smtp.tls.certificate: ..` or `feeds[3].source:
    /// ..`
    public List<ConfigError> errors(List<String> problems) {
        return problems.stream()
                .map(problem -> new ConfigError(
                        SettingLocation.explicitOrigin(problem, node)
                                .map(Object::toString)
                                .orElse(""),
                        problem))
                .toList();
    }
}
