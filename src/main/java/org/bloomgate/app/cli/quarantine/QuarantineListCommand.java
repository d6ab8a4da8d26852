package org.bloomgate.app.cli.quarantine;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.bloomgate.app.cli.common.ConfiguredCommand;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.cli.common.SinceOptions;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.server.http.AnswerJson;
import org.bloomgate.server.quarantine.QuarantineSummary;
import org.bloomgate.server.quarantine.QuarantinedMessage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// The command `quarantine list`.
@Command(name = "list", description = "Lists the messages in the quarantine, the oldest first.")
final class QuarantineListCommand extends ConfiguredCommand {
    @Option(
            names = "--older-than",
            paramLabel = "AGE",
            converter = SinceOptions.Age.class,
            description = "Only messages older than AGE, for example --older-than 30d.")
    Optional<Duration> age = Optional.empty();

    @Option(names = "--json", description = "Print one JSON object per line.")
    boolean json;

    @Override
    public Integer call() throws ConfigException, IOException {
        Instant now = Instant.now();
        for (QuarantinedMessage message :
                QuarantineCommand.of(configuration.read()).list()) {
            if (QuarantineCommand.olderThan(age, message, now)) {
                QuarantineSummary summary = QuarantineSummary.of(message);
                out().println(json ? AnswerJson.line(summary) : QuarantineCommand.text(summary));
            }
        }
        return ExitStatus.FINE;
    }
}
