package org.bloomgate.cli;

import java.util.Map;
import org.bloomgate.config.ConfigException;
import org.bloomgate.config.ConfigReader;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `config check`: the effective configuration, or everything that is wrong with it.
@Command(name = "config", description = "Looks at the configuration: config check.", mixinStandardHelpOptions = true)
final class ConfigCommand implements Runnable {
    @Spec
    CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "say what to do: config check");
    }

    @Command(
            name = "check",
            description = "Prints the effective configuration, or every error with file and line (status 2).",
            mixinStandardHelpOptions = true)
    int check(
            @Mixin ConfigurationOptions options,
            @Option(names = "--json", description = "One object with every key.") boolean json)
            throws ConfigException {
        Map<String, String> values = ConfigReader.effective(options.read());
        if (json) {
            spec.commandLine().getOut().println(Json.line(values));
        } else {
            values.forEach((key, value) -> spec.commandLine().getOut().println(key + ": " + value));
        }
        return ExitStatus.FINE;
    }
}
