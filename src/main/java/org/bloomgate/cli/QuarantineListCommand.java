package org.bloomgate.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.bloomgate.config.ConfigException;
import org.bloomgate.http.AnswerJson;
import org.bloomgate.quarantine.Quarantined;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `quarantine list`.
@Command(
        name = "list",
        description = "Lists the messages in the quarantine, the oldest first.",
        mixinStandardHelpOptions = true)
final class QuarantineListCommand implements Callable<Integer> {
    @Option(
            names = "--older-than",
            paramLabel = "AGE",
            converter = QuarantineCommand.Age.class,
            description = "Only what came before, as in --older-than 30d.")
    Optional<Duration> age = Optional.empty();

    @Option(names = "--json", description = "One object a line.")
    boolean json;

    @Mixin
    ConfigurationOptions configuration;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws ConfigException, IOException {
        PrintWriter out = spec.commandLine().getOut();
        Instant now = Instant.now();
        for (Quarantined message : QuarantineCommand.of(configuration.read()).list()) {
            if (QuarantineCommand.olderThan(age, message, now)) {
                QuarantineCommand.Line line = QuarantineCommand.Line.of(message);
                out.println(json ? AnswerJson.line(line) : line.text());
            }
        }
        return ExitStatus.FINE;
    }
}
