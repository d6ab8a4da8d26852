package org.bloomgate.cli;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bloomgate.config.ConfigError;
import org.bloomgate.config.ConfigException;
import org.bloomgate.config.ConfigReader;
import org.bloomgate.feed.Feeds;
import org.bloomgate.gateway.Configuration;
import org.bloomgate.gateway.ZoneFeeds;
import org.bloomgate.http.AnswerJson;
import org.bloomgate.policy.PolicyOverrides;
import org.bloomgate.smtp.Relay;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `config check`: the effective configuration, or everything that is wrong with it.
@Command(name = "config", description = "Looks at the configuration: config check.", mixinStandardHelpOptions = true)
final class ConfigCommand {
    @Spec
    CommandSpec spec;

    @Command(
            name = "check",
            description = {
                "Prints the effective configuration, or every error with file and line (status 2).",
                "Feeds and certificates it names are checked as well; nothing is fetched. Notes on stderr name the",
                "places under policy for which a category or a feed does less than is written there."
            },
            mixinStandardHelpOptions = true)
    int check(
            @Mixin ConfigurationOptions options,
            @Option(names = "--json", description = "One object with every key.") boolean json)
            throws ConfigException {
        Configuration configuration = options.read();
        Feeds feeds = options.feeds(configuration);
        ZoneFeeds.check(options.file, configuration, feeds);
        List<ConfigError> problems = Relay.fileProblems(configuration.smtp()).stream()
                .map(problem -> new ConfigError(options.file.toString(), problem))
                .toList();
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
        tellWhatIsHeldDown(options, configuration, feeds);
        Map<String, String> values = ConfigReader.effective(configuration);
        if (json) {
            spec.commandLine().getOut().println(AnswerJson.line(values));
        } else {
            values.forEach((key, value) -> spec.commandLine().getOut().println(key + ": " + value));
        }
        return ExitStatus.FINE;
    }

    private void tellWhatIsHeldDown(ConfigurationOptions options, Configuration configuration, Feeds feeds)
            throws ConfigException {
        Map<String, PolicyOverrides> listeners = new HashMap<>();
        configuration.smtp().listeners().forEach((name, listener) -> listeners.put(name, listener.policy()));
        new HeldDown(configuration.policy(), listeners, feeds.feeds())
                .lines(options.source().written())
                .forEach(line -> spec.commandLine().getErr().println("note: " + line));
    }
}
