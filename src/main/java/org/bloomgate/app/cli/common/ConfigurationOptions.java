package org.bloomgate.app.cli.common;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.app.gateway.options.ConfigurationSource;
import org.bloomgate.app.gateway.watch.StateOwner;
import org.bloomgate.base.config.ConfigError;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.lists.fetch.Feeds;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `-c` and `--set`, which every command has.
public final class ConfigurationOptions {
    @Spec(Spec.Target.MIXEE)
    CommandSpec mixee;

    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            description = "Configuration file, YAML or JSON (default: $BLOOMGATE_CONFIG, or the first that exists "
                    + "of config/bloomgate.yaml and /etc/bloomgate/bloomgate.yaml).")
    public Path file = ConfigurationSource.defaultFile(System.getenv());

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Override one value, for example --set smtp.listen=0.0.0.0:25. May be repeated.")
    public Map<String, String> sets = new LinkedHashMap<>();

    public ConfigurationSource source() {
        return new ConfigurationSource(file, sets);
    }

    /// @throws ConfigException also when root must not run the command, see [StateOwner]
    public Configuration read() throws ConfigException {
        Configuration read = source().read();
        String command = mixee.qualifiedName();
        if (!command.startsWith("bloomgate feeds ") || command.endsWith(" test")) {
            Optional<String> refusal = StateOwner.refusal(read, System.getProperty("user.name", ""), command);
            if (refusal.isPresent()) {
                throw new ConfigException(List.of(new ConfigError("", refusal.get())));
            }
        }
        return read;
    }

    /// The feeds that the configuration names.
    public Feeds feeds(Configuration configuration) throws ConfigException {
        return source().feedsOf(configuration);
    }

    /// The same with paused feeds.
    public Feeds allFeeds(Configuration configuration) throws ConfigException {
        return source().allFeedsOf(configuration);
    }
}
