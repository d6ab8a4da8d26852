package org.bloomgate.app.gateway.options;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.bloomgate.base.config.ConfigError;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.base.config.ConfigReader;
import org.bloomgate.base.config.ExplicitSetting;
import org.bloomgate.base.config.ParsedConfig;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.Feeds;

/// The source of a configuration, which is read at the start and at every reload.
///
/// @param sets values of the command line, by key
public record ConfigurationSource(Path file, Map<String, String> sets) {

    /// The default files, in the working directory and of the machine.
    private static final List<Path> DEFAULT_FILES =
            List.of(Path.of("config/bloomgate.yaml"), Path.of("/etc/bloomgate/bloomgate.yaml"));

    /// The configuration file if no option names one: from the environment variable, or the first default file
    /// that exists. A file that this user may not see counts as existing, so that the error is not "no such
    /// file".
    ///
    /// @param environment of the process
    public static Path defaultFile(Map<String, String> environment) {
        String named = environment.getOrDefault("BLOOMGATE_CONFIG", "");
        return named.isEmpty()
                ? DEFAULT_FILES.stream()
                        .filter(file -> !Files.notExists(file))
                        .findFirst()
                        .orElse(DEFAULT_FILES.getFirst())
                : Path.of(named);
    }

    /// @throws ConfigException with every error found
    public Configuration read() throws ConfigException {
        return parse(System.getenv()).value();
    }

    /// @param environment of the process
    /// @throws ConfigException with every error found
    public ParsedConfig<Configuration> parse(Map<String, String> environment) throws ConfigException {
        if (Files.notExists(file)) {
            String hint = DEFAULT_FILES.contains(file) ? ", nor " + DEFAULT_FILES.getLast() : "";
            throw new ConfigException(List.of(new ConfigError(
                    file.toString(), "no such file" + hint + "; -c or BLOOMGATE_CONFIG names another one")));
        }
        ParsedConfig<Configuration> read = parse(environment, Configuration.defaults());
        Path state = read.value().state();
        if (!state.equals(Configuration.defaults().state())) {
            // the folders below it are the defaults of other keys
            read = parse(environment, Configuration.defaults(state));
        }
        List<ConfigError> misspelled = MisspeltVariables.in(environment, read.value());
        if (!misspelled.isEmpty()) {
            throw new ConfigException(misspelled);
        }
        return read;
    }

    private ParsedConfig<Configuration> parse(Map<String, String> environment, Configuration defaults)
            throws ConfigException {
        return ConfigReader.parse(file, environment, sets, defaults);
    }

    /// The settings that the file, the environment and the command line contain.
    ///
    /// @throws ConfigException when the file cannot be read
    public List<ExplicitSetting> explicitSettings() throws ConfigException {
        return ConfigReader.explicitSettings(file, System.getenv(), sets, Configuration.defaults());
    }

    /// Throws an exception if there are problems.
    ///
    /// @param problems each begins with its key
    /// @throws ConfigException with each problem and the line of its key
    public void requireNone(List<String> problems) throws ConfigException {
        if (!problems.isEmpty()) {
            throw new ConfigException(parse(System.getenv()).errors(problems));
        }
    }

    /// The feeds of the feeds file and of the folder beside it, without paused ones.
    ///
    /// @throws ConfigException with every error found
    public Feeds feedsOf(Configuration configuration) throws ConfigException {
        requireNone(ConfiguredFiles.feedsMissing(configuration).stream().toList());
        return feeds(configuration);
    }

    /// The same with paused feeds.
    ///
    /// @throws ConfigException with every error found
    public Feeds allFeedsOf(Configuration configuration) throws ConfigException {
        requireNone(ConfiguredFiles.feedsMissing(configuration).stream().toList());
        return FeedsFolder.of(configuration).all();
    }

    /// The same for callers without the source of the configuration.
    ///
    /// @throws ConfigException with every error found
    static Feeds feeds(Configuration configuration) throws ConfigException {
        return parseFeeds(configuration).value();
    }

    /// The same, and none without a feeds file: a machine that only has copies of snapshots needs no feeds.
    ///
    /// @throws ConfigException with every error found
    public static Feeds feedsIfThere(Configuration configuration) throws ConfigException {
        return Files.notExists(configuration.feeds()) ? Feeds.defaults() : feeds(configuration);
    }

    /// The feeds that rebuilds on this machine fetch; empty on a mirror.
    ///
    /// @throws ConfigException with every error found
    public static List<Feed> locallyBuilt(Configuration configuration) throws ConfigException {
        return configuration.mirror().isEnabled()
                ? List.of()
                : feedsIfThere(configuration).fetched().feeds();
    }

    /// @throws ConfigException with every error found
    public static ParsedConfig<Feeds> parseFeeds(Configuration configuration) throws ConfigException {
        return FeedsFolder.of(configuration).parse();
    }
}
