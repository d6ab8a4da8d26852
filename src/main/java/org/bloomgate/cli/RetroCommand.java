package org.bloomgate.cli;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.stream.Collectors;
import org.bloomgate.config.ConfigException;
import org.bloomgate.gateway.Configuration;
import org.bloomgate.gateway.Rebuilding;
import org.bloomgate.http.AnswerJson;
import org.bloomgate.journal.RecentMail;
import org.bloomgate.judge.Retro;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `retro`: mail that came before its listing.
@Command(
        name = "retro",
        description = {
            "Lists delivered mail that holds a key which is listed now and was not when the mail came.",
            "Status 1 when there is any, 3 when there is none but some of the records cannot be read."
        })
final class RetroCommand extends ConfiguredCommand {
    @Option(
            names = "--since",
            paramLabel = "AGE",
            defaultValue = "7d",
            converter = QuarantineCommand.Age.class,
            description = "How far to look back (default: ${DEFAULT-VALUE}); journal.keys.keep bounds what there is.")
    Duration age = Duration.ofDays(7);

    @Option(names = "--json", description = "One object a line.")
    boolean json;

    @Override
    public Integer call() throws ConfigException, IOException {
        Configuration read = configuration.read();
        Optional<Retro.Looked> looked = Rebuilding.retro(read)
                .run(Instant.now().minus(age), mail -> out().println(json ? AnswerJson.line(mail) : text(mail)));
        if (looked.isEmpty()) {
            tell("no mail is recorded in " + read.journal().keys().directory() + " since then");
            return ExitStatus.FINE;
        }
        Instant asked = Instant.now().minus(age);
        looked.get()
                .begins()
                .filter(asked::isBefore)
                .ifPresent(first -> tell("mail before " + first + " is not known: the records begin there"));
        return status(looked.get());
    }

    /// `TOKEN  TIME  <SENDER> to RECIPIENTS  (FEED lists KEY since TIME, ..)`
    private static String text(Retro.Mail mail) {
        String envelope = mail.recipients().isEmpty()
                ? "envelope lost"
                : "<" + Printable.of(mail.mailFrom()) + "> to " + Printable.of(String.join(", ", mail.recipients()));
        return mail.token() + "  " + mail.delivered().truncatedTo(ChronoUnit.SECONDS) + "  " + envelope + "  ("
                + mail.listings().stream()
                        .map(one -> one.feed() + " lists " + Printable.of(one.key()) + " since " + one.firstSeen())
                        .collect(Collectors.joining(", "))
                + ")";
    }

    private int status(Retro.Looked looked) {
        RecentMail.Tally tally = looked.tally();
        tell("%,d of %,d mails hold a key listed since".formatted(tally.holding(), tally.mails()));
        if (tally.overlooked() > 0) {
            tell("there may be more: %,d listings were too many to look for".formatted(tally.overlooked()));
        }
        if (tally.damaged() > 0) {
            tell("there may be more: %,d blocks of the records are damaged".formatted(tally.damaged()));
        }
        if (looked.unreadable() > 0) {
            tell("there may be more: the records of %,d hours are damaged or of another installation key"
                    .formatted(looked.unreadable()));
        }
        if (tally.holding() > 0) {
            return ExitStatus.LISTED;
        }
        return tally.overlooked() + tally.damaged() + looked.unreadable() > 0 ? ExitStatus.UNKNOWN : ExitStatus.FINE;
    }
}
