package org.bloomgate.base.config;

import static java.util.stream.Collectors.joining;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.bloomgate.base.config.ConfigNode.Mapping;

/// Reads a configuration file with its fragments, applies the overrides and fills the option records.
///
/// The order of precedence, from low to high: the defaults, the file, the fragments `conf.d/*.yaml` and `*.yml`
/// beside it in byte order of their names, `BLOOMGATE_*` variables, `--set`. Maps are merged; lists and scalars are
/// replaced.
public final class ConfigReader {
    private static final String FRAGMENTS = "conf.d";

    private ConfigReader() {}

    /// The folder of the fragments of a configuration file. It need not exist.
    public static Path fragments(Path file) {
        return file.resolveSibling(FRAGMENTS);
    }

    /// Reads a configuration: defaults, overridden by the values of a file, the environment and the command
    /// line.
    ///
    /// @param environment of the process; only `BLOOMGATE_*` variables are used
    /// @param sets values of `--set`, by key
    /// @throws ConfigException with every error found
    public static <R extends Record> R read(
            Path file, Map<String, String> environment, Map<String, String> sets, R defaults) throws ConfigException {
        return parse(file, environment, sets, defaults).value();
    }

    /// Reads a configuration: defaults, overridden by the values of a file.
    ////// @throws ConfigException with every error found
    public static <R extends Record> R read(Path file, R defaults) throws ConfigException {
        return read(file, Map.of(), Map.of(), defaults);
    }

    /// Like [#read(Path, Map, Map, Record)], with the lines of the keys.
    ///
    /// @throws ConfigException with every error found
    public static <R extends Record> ParsedConfig<R> parse(
            Path file, Map<String, String> environment, Map<String, String> sets, R defaults) throws ConfigException {
        return bind(Overrides.apply(parseWithFragments(file), environment, sets, defaults), defaults);
    }

    /// Reads a configuration: defaults, overridden by the values of a file, with further items of one of its
    /// lists in a folder.
    ///
    /// @throws ConfigException with every error found
    public static <R extends Record> ParsedConfig<R> parse(Path file, ContinuedList list, R defaults)
            throws ConfigException {
        return bind(list.in(ConfigParser.parse(file)), defaults);
    }

    /// Reads a configuration: defaults, overridden by the values of a document that is not a file.
    ///
    /// @param name for errors
    /// @throws ConfigException with every error found
    public static <R extends Record> R read(String name, String yaml, R defaults) throws ConfigException {
        return bind(ConfigParser.parse(name, yaml), defaults).value();
    }

    /// Parses the file with its fragments.
    private static ConfigNode parseWithFragments(Path file) throws ConfigException {
        ConfigNode tree = ConfigParser.parse(file);
        List<ConfigError> errors = new ArrayList<>();
        for (Path fragment : FragmentFiles.list(fragments(file))) {
            try {
                ConfigNode root = ConfigParser.parse(fragment);
                if (!(root instanceof Mapping over)) {
                    errors.add(new ConfigError(root.origin().toString(), "takes keys and values"));
                } else if (tree instanceof Mapping below) {
                    tree = below.mergedWith(over);
                }
            } catch (ConfigException e) {
                errors.addAll(e.errors());
            }
        }
        if (!errors.isEmpty()) {
            throw new ConfigException(errors.stream().sorted().toList());
        }
        return tree;
    }

    private static <R extends Record> ParsedConfig<R> bind(ConfigNode node, R defaults) throws ConfigException {
        RecordBinder binder = new RecordBinder();
        R bound = binder.bind(node, defaults);
        if (!binder.errors().isEmpty()) {
            throw new ConfigException(binder.errors().stream().sorted().toList());
        }
        return new ParsedConfig<>(bound, node);
    }

    /// One error for each variable that looks like a key but names none.
    ///
    /// @param environment of the process; only `BLOOMGATE_*` variables are used
    public static List<ConfigError> unknownVariables(Map<String, String> environment, Record configuration) {
        return UnknownVariables.in(environment, configuration);
    }

    /// Every scalar value that a file, a fragment, the environment or the command line sets, in the order of
    /// the file. Values at their default are not included.
    ///
    /// @throws ConfigException when a file cannot be read
    public static <R extends Record> List<ExplicitSetting> explicitSettings(
            Path file, Map<String, String> environment, Map<String, String> sets, R defaults) throws ConfigException {
        List<ExplicitSetting> settings = new ArrayList<>();
        collect(Overrides.apply(parseWithFragments(file), environment, sets, defaults), "", settings);
        return settings;
    }

    private static void collect(ConfigNode node, String path, List<ExplicitSetting> into) {
        switch (node) {
            case ConfigNode.Scalar scalar ->
                into.add(new ExplicitSetting(path, scalar.origin().toString(), scalar.text()));
            case Mapping mapping ->
                mapping.entries().forEach((key, value) -> collect(value, OptionRecords.join(path, key), into));
            case ConfigNode.Sequence _ -> {}
        }
    }

    /// The value of every key: a number, a boolean, a text as in a file, or a list or a map of these. Of a
    /// secret only whether it is set is shown.
    public static Map<String, Object> effective(Record configuration) {
        Map<String, Object> values = new LinkedHashMap<>();
        OptionRecords.collectOptions(configuration).forEach((key, value) -> values.put(key, displayValue(key, value)));
        return values;
    }

    /// A value of [#effective(Record)] in one line, written as in a file.
    public static String text(Object value) {
        return switch (value) {
            case Collection<?> items -> items.stream().map(ConfigReader::text).collect(joining(", ", "[", "]"));
            case Map<?, ?> entries ->
                entries.entrySet().stream()
                        .map(entry -> entry.getKey() + ": " + text(entry.getValue()))
                        .collect(joining(", ", "{ ", " }"));
            default -> value.toString();
        };
    }

    /// Keys whose values differ and take effect at the next restart, see [RequiresRestart].
    ///
    /// @param running the configuration that the program was started with
    public static <R extends Record> List<String> keysAwaitingRestart(R running, R next) {
        return List.copyOf(RestartKeys.findDiffering(running, next));
    }

    private static Object displayValue(String key, Object value) {
        String lower = key.toLowerCase(Locale.ROOT);
        boolean secret = Stream.of("token", "tokens", "password").anyMatch(lower::endsWith);
        return switch (value) {
            case String text when secret -> text.isEmpty() ? "" : "(set)";
            case Number _, Boolean _ -> value;
            case Optional<?> optional -> optional.isPresent() ? displayValue("", optional.get()) : "";
            case Collection<?> items ->
                items.stream().map(item -> displayValue("", item)).toList();
            case Map<?, ?> entries -> {
                Map<String, Object> sorted = new TreeMap<>();
                entries.forEach(
                        (name, item) -> sorted.put(ScalarReader.write(name), displayValue(secret ? key : "", item)));
                yield sorted;
            }
            case Record nested when OptionRecords.isSection(nested) -> effective(nested);
            default -> ScalarReader.write(value);
        };
    }
}
