package org.bloomgate.app.cli.quarantine;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.app.cli.common.InputException;
import org.bloomgate.app.cli.common.Printable;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.base.io.Token;
import org.bloomgate.server.quarantine.Quarantine;
import org.bloomgate.server.quarantine.QuarantineSummary;
import org.bloomgate.server.quarantine.QuarantinedMessage;
import picocli.CommandLine.Command;

/// The command `quarantine`, and what its subcommands share.
@Command(
        name = "quarantine",
        description = "Lists, shows, releases and deletes messages that policy has put into the quarantine.",
        subcommands = {
            QuarantineListCommand.class,
            QuarantineShowCommand.class,
            QuarantineReleaseCommand.class,
            QuarantineDeleteCommand.class,
        },
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true)
public final class QuarantineCommand {
    static Quarantine of(Configuration configuration) {
        return new Quarantine(configuration.quarantine().folder());
    }

    /// The messages with these tokens, in the order of the tokens.
    ///
    /// @throws InputException if one of the messages does not exist; then none of them is touched
    static List<QuarantinedMessage> find(List<String> tokens, Configuration configuration)
            throws IOException, InputException {
        Map<String, QuarantinedMessage> messages = new LinkedHashMap<>();
        of(configuration).list().forEach(message -> messages.put(message.token(), message));
        Map<String, QuarantinedMessage> selected = new LinkedHashMap<>();
        for (String token : tokens) {
            String name =
                    messages.containsKey(token) ? token : Token.parse(token).orElse(token);
            if (!messages.containsKey(name)) {
                throw new InputException("no message " + Printable.of(token) + " in "
                        + configuration.quarantine().folder() + "; 'quarantine list' shows all");
            }
            selected.put(name, messages.get(name));
        }
        return List.copyOf(selected.values());
    }

    static boolean olderThan(Optional<Duration> age, QuarantinedMessage message, Instant now) {
        return age.isEmpty() || message.time().isBefore(now.minus(age.get()));
    }

    /// `TOKEN  TIME  SIZE  <SENDER> to RECIPIENTS  (REASON)  VALUE by FEED  SUBJECT`
    static String text(QuarantineSummary message) {
        StringBuilder line = new StringBuilder(String.format(
                Locale.ROOT,
                "%-12s  %s  %8d  ",
                Printable.of(message.token()),
                message.time().truncatedTo(ChronoUnit.SECONDS),
                message.sizeBytes()));
        if (message.client().isEmpty()) {
            return line.append(message.reason()).toString();
        }
        line.append("<%s> to %s  (%s)"
                .formatted(
                        Printable.of(message.mailFrom()),
                        Printable.of(String.join(", ", message.recipients())),
                        Printable.of(message.reason())));
        if (!message.feed().isEmpty()) {
            line.append("  %s by %s".formatted(Printable.of(message.value()), Printable.of(message.feed())));
        }
        return line.append(message.subject().isEmpty() ? "" : "  " + Printable.of(message.subject()))
                .toString();
    }
}
