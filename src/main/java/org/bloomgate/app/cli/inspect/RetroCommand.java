package org.bloomgate.app.cli.inspect;

import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.stream.Collectors;
import org.bloomgate.app.cli.common.ConfiguredCommand;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.cli.common.InputException;
import org.bloomgate.app.cli.common.KindOption;
import org.bloomgate.app.cli.common.Printable;
import org.bloomgate.app.cli.common.SinceOptions;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.app.gateway.wiring.Rebuilding;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.core.key.Key;
import org.bloomgate.decision.keyjournal.RecentMail;
import org.bloomgate.lists.report.Retro;
import org.bloomgate.lookup.local.EntryParser;
import org.bloomgate.lookup.local.EntryRefusedException;
import org.bloomgate.lookup.local.EntryText;
import org.bloomgate.server.http.AnswerJson;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The command `retro`: lists delivered messages that contain a key listed later.
@Command(
        name = "retro",
        description = {
            "Lists messages that were delivered before a key in them was listed, by a feed or an " + "operator.",
            "With --value, all messages that contain the value: also those that were tagged for it, or delivered "
                    + "by an exception.",
            "Exit status 1 if there are any, 3 if there are none but no message is recorded or some records cannot be read."
        })
public final class RetroCommand extends ConfiguredCommand {
    @Mixin
    SinceOptions options;

    @Option(names = "--value", paramLabel = "V", description = "Only this URL, domain, address or network.")
    Optional<String> value = Optional.empty();

    @Mixin
    KindOption kind;

    @Override
    public Integer call() throws ConfigException, EntryRefusedException, InputException, IOException {
        Configuration read = configuration.read();
        Retro retro = Rebuilding.retro(read);
        Instant since = options.since();
        Optional<Retro.Coverage> coverage = value.isPresent()
                ? retro.findByKey(key(value.get(), read), since, this::print)
                : retro.findListed(since, this::print);
        if (coverage.isEmpty()) {
            remark("not known: this machine has recorded no message in "
                    + read.journal().keys().directory() + " since then");
            return ExitStatus.UNKNOWN;
        }
        coverage.get()
                .begins()
                .filter(since::isBefore)
                .ifPresent(begin -> remark("messages before " + begin + " are not known: the records begin then"));
        return status(coverage.get());
    }

    private void print(Retro.Message mail) {
        out().println(options.json ? AnswerJson.line(mail) : text(mail));
    }

    private Key key(String text, Configuration read) throws EntryRefusedException, InputException {
        return EntryParser.key(EntryText.of(kind.resolve(text, "passwords are not recorded"), text)
                .withCountryCode(read.phones()));
    }

    /// `TOKEN  TIME  <SENDER> to RECIPIENTS  (FEED lists KEY since TIME, ..)`
    private static String text(Retro.Message mail) {
        String envelope = mail.recipients().isEmpty()
                ? "envelope lost"
                : "<" + Printable.of(mail.mailFrom()) + "> to " + Printable.of(String.join(", ", mail.recipients()));
        return mail.token() + "  " + mail.delivered().truncatedTo(ChronoUnit.SECONDS) + "  " + envelope + "  ("
                + mail.listings().stream().map(RetroCommand::text).collect(Collectors.joining(", "))
                + ")";
    }

    private static String text(Retro.LaterListing listing) {
        String key = Printable.of(listing.key());
        return listing.firstSeen()
                .map(seen -> listing.feed() + " lists " + key + " since " + seen)
                .orElseGet(() -> "contains " + key);
    }

    private int status(Retro.Coverage coverage) {
        RecentMail.Tally tally = coverage.tally();
        String what = value.isPresent() ? "it" : "a key listed since";
        remark("%,d of %,d messages contain %s".formatted(tally.holding(), tally.mails(), what));
        if (tally.overlooked() > 0) {
            remark("there may be more: %,d listings too many to search for".formatted(tally.overlooked()));
        }
        if (tally.damaged() > 0) {
            remark("there may be more: %,d blocks of the records are damaged".formatted(tally.damaged()));
        }
        if (coverage.unreadable() > 0) {
            remark("there may be more: the records of %,d hours are damaged or of another installation key"
                    .formatted(coverage.unreadable()));
        }
        if (tally.holding() > 0) {
            return ExitStatus.LISTED;
        }
        return tally.overlooked() + tally.damaged() + coverage.unreadable() > 0 ? ExitStatus.UNKNOWN : ExitStatus.FINE;
    }
}
