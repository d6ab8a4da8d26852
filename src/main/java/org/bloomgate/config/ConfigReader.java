package org.bloomgate.config;

import java.nio.file.Path;
import java.util.Map;

/// Reads a configuration file, lays the overrides over it and fills the option records.
public final class ConfigReader {
    private ConfigReader() {}

    /// The effective configuration.
    ///
    /// @param environment of the process; only `BLOOMGATE_*` is looked at
    /// @param sets values of `--set`, by key
    /// @throws ConfigException with every error found
    public static Configuration read(Path file, Map<String, String> environment, Map<String, String> sets)
            throws ConfigException {
        Configuration defaults = Configuration.defaults();
        ConfigNode node = Overrides.apply(ConfigParser.parse(file), environment, sets, defaults);
        return bind(node, defaults);
    }

    /// A record of defaults with the values of a file laid over it.
    ///
    /// @throws ConfigException with every error found
    public static <R extends Record> R read(Path file, R defaults) throws ConfigException {
        return bind(ConfigParser.parse(file), defaults);
    }

    private static <R extends Record> R bind(ConfigNode node, R defaults) throws ConfigException {
        RecordBinder binder = new RecordBinder();
        R bound = binder.bind(node, defaults);
        if (!binder.errors().isEmpty()) {
            throw new ConfigException(binder.errors());
        }
        return bound;
    }
}
