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
            description = "Configuration file, YAML or JSON (default: $BLOOMGATE_CONFIG, or the first that exists "
                    + "of config/bloomgate.yaml and /etc/bloomgate/bloomgate.yaml).")
    Path file = ConfigurationSource.found(System.getenv());

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Override one value, for example --set smtp.listen=0.0.0.0:25. May be repeated.")
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
