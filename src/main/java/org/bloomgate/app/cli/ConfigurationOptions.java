package org.bloomgate.app.cli;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.bloomgate.app.gateway.Configuration;
import org.bloomgate.app.gateway.ConfigurationSource;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.lists.fetch.Feeds;
import picocli.CommandLine.Option;

/// `-c` and `--set`, which every command has.
final class ConfigurationOptions {
    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            description =
                    "Configuration, YAML or JSON. Otherwise that of the variable BLOOMGATE_CONFIG, or the first of"
                            + " config/bloomgate.yaml and /etc/bloomgate/bloomgate.yaml that there is.")
    Path file = ConfigurationSource.found(System.getenv());

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Overrides one value, as in --set smtp.listen=0.0.0.0:25. May be repeated.")
    Map<String, String> sets = new LinkedHashMap<>();

    ConfigurationSource source() {
        return new ConfigurationSource(file, sets);
    }

    Configuration read() throws ConfigException {
        return source().read();
    }

    /// The feeds that the configuration names.
    Feeds feeds(Configuration configuration) throws ConfigException {
        return source().feedsOf(configuration);
    }
}
