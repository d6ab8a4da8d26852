package org.bloomgate.gateway;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.bloomgate.config.ConfigException;
import org.bloomgate.config.ConfigReader;
import org.bloomgate.config.Written;
import org.bloomgate.feed.Feeds;

/// Where a configuration is read from, at the start and again at every reload.
///
/// @param sets values of the command line, by key
public record ConfigurationSource(Path file, Map<String, String> sets) {

    /// @throws ConfigException with every error found
    public Configuration read() throws ConfigException {
        return ConfigReader.read(file, System.getenv(), sets, Configuration.defaults());
    }

    /// What is not left at its default.
    ///
    /// @throws ConfigException when the file cannot be read
    public List<Written> written() throws ConfigException {
        return ConfigReader.written(file, System.getenv(), sets, Configuration.defaults());
    }

    /// The feeds that the configuration names.
    ///
    /// @throws ConfigException with every error found
    public static Feeds feeds(Configuration configuration) throws ConfigException {
        return ConfigReader.read(configuration.feeds(), Feeds.defaults());
    }
}
