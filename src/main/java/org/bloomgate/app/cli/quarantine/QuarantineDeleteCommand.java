package org.bloomgate.app.cli.quarantine;

import java.io.Console;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bloomgate.app.cli.common.CliAudit;
import org.bloomgate.app.cli.common.ConfiguredCommand;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.cli.common.InputException;
import org.bloomgate.app.cli.common.Printable;
import org.bloomgate.app.cli.common.SinceOptions;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.base.audit.AuditEvent.What;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.base.io.LockFile;
import org.bloomgate.server.quarantine.Quarantine;
import org.bloomgate.server.quarantine.QuarantinedMessage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/// The command `quarantine delete`.
@Command(
        name = "delete",
        description = {
            "Deletes messages from the quarantine permanently: those named, or all that are older " + "than an age.",
            "Asks for confirmation on a terminal. Exit status 2 if there is no such message."
        })
final class QuarantineDeleteCommand extends ConfiguredCommand {
    /// The minimum age of leftovers of a crash; younger files may be of a message that is being written.
    private static final Duration MIN_LEFTOVER_AGE = Duration.ofDays(1);

    @Parameters(arity = "0..*", paramLabel = "TOKEN", description = "Tokens, as printed by 'quarantine list'.")
    List<String> tokens = List.of();

    @Option(
            names = "--older-than",
            paramLabel = "AGE",
            converter = SinceOptions.Age.class,
            description = "Only messages older than AGE, for example --older-than 30d.")
    Optional<Duration> age = Optional.empty();

    @Option(
            names = {"-y", "--yes"},
            description = "Do not ask for confirmation.")
    boolean assumeYes;

    @Override
    public Integer call() throws ConfigException, InputException, IOException {
        if (tokens.isEmpty() && age.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "name tokens, or --older-than AGE");
        }
        Configuration read = configuration.read();
        Quarantine quarantine = QuarantineCommand.of(read);
        Instant now = Instant.now();
        List<QuarantinedMessage> toDelete =
                new ArrayList<>(tokens.isEmpty() ? quarantine.list() : QuarantineCommand.find(tokens, read));
        toDelete.removeIf(message -> !QuarantineCommand.olderThan(age, message, now));
        if (!toDelete.isEmpty() && !assumeYes && !confirmed(toDelete.size())) {
            return ExitStatus.FINE;
        }
        try (LockFile _ = quarantine.lock()) {
            for (QuarantinedMessage message : toDelete) {
                if (quarantine.find(message.token()).isPresent()) {
                    CliAudit.record(read, message, What.QUARANTINE_DELETE);
                    quarantine.remove(message);
                    out().println(Printable.of(message.token()) + "  deleted");
                }
            }
        }
        quarantine.removeLeftovers(now.minus(MIN_LEFTOVER_AGE));
        return ExitStatus.FINE;
    }

    private static boolean confirmed(int count) {
        Optional<Console> terminal = Optional.ofNullable(System.console()).filter(Console::isTerminal);
        if (terminal.isEmpty()) {
            return true;
        }
        String answer =
                terminal.get().readLine("Delete %d message%s permanently? [y/N] ", count, count == 1 ? "" : "s");
        return answer != null && answer.strip().equalsIgnoreCase("y");
    }
}
