package org.bloomgate.app.gateway.wiring;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.app.gateway.options.ConfigurationSource;
import org.bloomgate.app.gateway.options.ConfiguredFiles;
import org.bloomgate.app.gateway.options.ExportChecks;
import org.bloomgate.app.gateway.options.ZoneFeeds;
import org.bloomgate.base.config.ConfigError;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.base.config.ExplicitSetting;
import org.bloomgate.base.config.ParsedConfig;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.lists.fetch.Feeds;
import org.bloomgate.lists.format.FeedSources;

/// Checks the configuration, the feeds file and the files that they name. If the main configuration is invalid,
/// only its errors are reported.
public final class ConfigurationCheck {
    private ConfigurationCheck() {}

    /// A configuration without errors, and its feeds.
    ///
    /// @param changedSettings settings that differ from the defaults
    public record ValidConfiguration(Configuration configuration, Feeds feeds, List<ExplicitSetting> changedSettings) {
        public ValidConfiguration {
            changedSettings = List.copyOf(changedSettings);
        }
    }

    /// @param environment of the process, which contains the secrets of feeds
    /// @throws ConfigException with all errors, by file and line
    public static ValidConfiguration check(ConfigurationSource source, Map<String, String> environment)
            throws ConfigException {
        ParsedConfig<Configuration> main = source.parse(environment);
        Configuration configuration = main.value();
        List<String> problems = new ArrayList<>(ConfiguredFiles.problems(configuration));
        TreeSet<ConfigError> errors = new TreeSet<>();
        Optional<ParsedConfig<Feeds>> feeds = parseFeeds(configuration, problems, errors);
        if (feeds.isPresent()) {
            problems.addAll(ZoneFeeds.problems(configuration, feeds.get().value()));
            problems.addAll(ExportChecks.fileProblems(configuration));
            problems.addAll(Rebuilds.problems(configuration, feeds.get().value()));
            errors.addAll(feeds.get()
                    .errors(FeedSources.findProblems(
                            feeds.get().value(),
                            Rebuilding.keys(configuration, PublicSuffixes.bundled()),
                            environment)));
        }
        errors.addAll(main.errors(problems));
        if (!errors.isEmpty() || feeds.isEmpty()) {
            throw new ConfigException(List.copyOf(errors));
        }
        return new ValidConfiguration(configuration, feeds.get().value(), main.changed(Configuration.defaults()));
    }

    /// Parses the feeds file. If that fails, adds the reason to `problems` or `errors` and returns empty.
    private static Optional<ParsedConfig<Feeds>> parseFeeds(
            Configuration configuration, List<String> problems, Set<ConfigError> errors) {
        Optional<String> missing = ConfiguredFiles.feedsMissing(configuration);
        if (missing.isPresent()) {
            problems.add(missing.get());
            return Optional.empty();
        }
        try {
            return Optional.of(ConfigurationSource.parseFeeds(configuration));
        } catch (ConfigException e) {
            errors.addAll(e.errors());
            return Optional.empty();
        }
    }
}
