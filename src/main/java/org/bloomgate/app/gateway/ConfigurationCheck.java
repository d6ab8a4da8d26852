package org.bloomgate.app.gateway;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bloomgate.base.config.BindResult;
import org.bloomgate.base.config.ConfigError;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.lists.fetch.Feeds;
import org.bloomgate.lists.format.FeedSources;

/// Looks at the configuration, at the file of feeds and at all that both name, and tells everything that is wrong at
/// once. What follows from an error is not told: a file is not looked for under a key that is wrong itself, nor is a
/// feed read whose definition is.
public final class ConfigurationCheck {
    private final BindResult<Configuration> main;
    private final Configuration configuration;
    private final Map<String, String> environment;
    private final List<String> problems = new ArrayList<>();
    private final TreeSet<ConfigError> errors = new TreeSet<>();

    /// A configuration that nothing is wrong with.
    public record Sound(Configuration configuration, Feeds feeds) {}

    private ConfigurationCheck(BindResult<Configuration> main, Map<String, String> environment) {
        this.main = main;
        this.configuration = main.value();
        this.environment = environment;
    }

    /// @param environment of the process, which contains the secrets of feeds
    /// @throws ConfigException with everything that is wrong, by file and line
    public static Sound of(ConfigurationSource source, Map<String, String> environment) throws ConfigException {
        return new ConfigurationCheck(source.understood(environment), environment).sound();
    }

    private Sound sound() throws ConfigException {
        Optional<Feeds> feeds = feeds();
        problems.addAll(ConfiguredFiles.problems(configuration));
        problems.removeIf(this::isOfDoubtfulTls);
        if (!main.isWhole()
                && Stream.of("nextHop", "smtp", "http", "dns", "milter").allMatch(main::isSure)) {
            problems.addAll(configuration.problems());
        }
        errors.addAll(main.errorsAnd(problems));
        if (!errors.isEmpty() || feeds.isEmpty()) {
            throw new ConfigException(List.copyOf(errors));
        }
        return new Sound(configuration, feeds.get());
    }

    /// Empty when they cannot be read, or are those of another file than was meant.
    private Optional<Feeds> feeds() {
        if (!main.isSure("feeds")) {
            return Optional.empty();
        }
        Optional<String> missing = ConfiguredFiles.feedsMissing(configuration);
        missing.ifPresent(problems::add);
        if (missing.isPresent()) {
            return Optional.empty();
        }
        try {
            BindResult<Feeds> read = ConfigurationSource.feedsUnderstood(configuration);
            look(read);
            return Optional.of(read.value());
        } catch (ConfigException unreadable) {
            errors.addAll(unreadable.errors());
            return Optional.empty();
        }
    }

    private void look(BindResult<Feeds> read) {
        Feeds feeds = read.value();
        List<String> inFeeds = new ArrayList<>(FeedSources.problems(
                feeds,
                Rebuilding.keys(configuration, PublicSuffixes.bundled()),
                environment,
                section -> main.isSure("message") && read.isSure(section)));
        if (areSure(read, "name") && areSure(read, "source")) {
            inFeeds.addAll(read.isWhole() ? List.of() : feeds.problems());
        }
        errors.addAll(read.errorsAnd(inFeeds));
        if (areSure(read, "name")) {
            problems.addAll(ZoneFeeds.problems(configuration, feeds));
        }
        if (areSure(read, "source")) {
            problems.addAll(Rebuilds.problems(configuration, feeds));
        }
    }

    private static boolean areSure(BindResult<Feeds> read, String key) {
        return IntStream.range(0, Math.max(1, read.value().feeds().size()))
                .allMatch(i -> read.isSure("feeds[" + i + "]." + key));
    }

    /// A certificate and its key are one.
    private boolean isOfDoubtfulTls(String problem) {
        int tls = problem.indexOf(".tls.");
        return tls >= 0 && !main.isSure(problem.substring(0, tls + ".tls".length()));
    }
}
