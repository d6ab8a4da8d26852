package org.bloomgate.app.cli.quarantine;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.bloomgate.app.cli.common.CliAudit;
import org.bloomgate.app.cli.common.ConfiguredCommand;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.cli.common.InputException;
import org.bloomgate.app.cli.common.Printable;
import org.bloomgate.app.cli.entries.EntryEditor;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.base.audit.AuditEvent.What;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.lookup.local.EntryRefusedException;
import org.bloomgate.lookup.local.EntryText;
import org.bloomgate.lookup.tier.Entry;
import org.bloomgate.server.http.AnswerJson;
import org.bloomgate.server.quarantine.QuarantineRelease;
import org.bloomgate.server.quarantine.QuarantineRelease.Outcome;
import org.bloomgate.server.quarantine.QuarantinedMessage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The command `quarantine release`.
@Command(
        name = "release",
        description = {
            "Sends messages of the quarantine to the next hop, with their original envelope.",
            "A message is removed when the next hop has accepted it for every recipient; otherwise it stays for"
                    + " the others.",
            "With --except, the listings that put a message there no longer count for the domains of its recipients, and"
                    + " count as errors of their feeds.",
            "Exit status 2 if there is no such message, 3 if any recipient was rejected."
        })
final class QuarantineReleaseCommand extends ConfiguredCommand {
    @Parameters(arity = "1..*", paramLabel = "TOKEN", description = "Tokens, as printed by 'quarantine list'.")
    List<String> tokens = List.of();

    @Option(
            names = "--to",
            paramLabel = "ADDRESS",
            description = "Send a copy to this address instead of the recipients; the messages stay in quarantine.")
    Optional<String> to = Optional.empty();

    @Option(names = "--json", description = "Print one JSON object per line, one for each recipient.")
    boolean json;

    @Option(names = "--except", description = "Also make exceptions for the listings that quarantined the messages.")
    boolean except;

    @Option(
            names = "--expires",
            paramLabel = "WHEN",
            defaultValue = "",
            description = "Expiry of the exceptions: 30m, 12h, 7d, 4w, or a date in UTC (default: never).")
    String expires = "";

    @Option(names = "--reason", paramLabel = "TEXT", defaultValue = "", description = "Reason of the exceptions.")
    String reason = "";

    @Override
    public Integer call() throws ConfigException, InputException, IOException {
        if (to.isPresent() && !QuarantineRelease.isAddress(to.get())) {
            throw new InputException("--to: '" + Printable.of(to.get()) + "' is not an address");
        }
        if (!except && !(expires + reason).isEmpty()) {
            throw new InputException("--expires and --reason need --except");
        }
        Configuration read = configuration.read();
        List<QuarantinedMessage> messages = QuarantineCommand.find(tokens, read);
        boolean allDelivered = true;
        try (QuarantineRelease release =
                QuarantineRelease.open(read.nextHop(), read.nextHopOptions(), QuarantineCommand.of(read))) {
            for (QuarantinedMessage message : messages) {
                List<Outcome> outcomes = release(read, release, message.token());
                outcomes.forEach(this::print);
                allDelivered &= outcomes.stream().allMatch(Outcome::delivered);
            }
        }
        return allDelivered ? ExitStatus.FINE : ExitStatus.UNKNOWN;
    }

    /// Reads the message again, because another release may have changed or removed it meanwhile.
    private List<Outcome> release(Configuration read, QuarantineRelease release, String token)
            throws InputException, IOException {
        Optional<QuarantinedMessage> message = release.find(token);
        if (message.isEmpty()) {
            return List.of(new Outcome(token, "", false, "no longer in quarantine"));
        }
        except(read, message.get());
        CliAudit.record(read, message.get(), What.QUARANTINE_RELEASE, to);
        return to.isPresent() ? List.of(release.release(message.get(), to.get())) : release.release(message.get());
    }

    /// Makes the exceptions before the release, so that the message is accepted if it comes again.
    private void except(Configuration read, QuarantinedMessage message) throws InputException, IOException {
        try {
            if (except) {
                EntryEditor.of(read, Entry.Type.EXCEPTION, json ? err() : out(), err())
                        .exceptDecision(
                                message.token(),
                                EntryText.ofTerms(
                                        reason, expires, CliAudit.user().who()));
            }
        } catch (EntryRefusedException e) {
            throw new InputException(message.token() + " is not released: " + e.getMessage());
        }
    }

    private void print(Outcome outcome) {
        out().println(
                        json
                                ? AnswerJson.line(outcome)
                                : outcome.token() + "  " + (outcome.delivered() ? "released to" : "not released to")
                                        + " <" + Printable.of(outcome.recipient()) + ">: "
                                        + Printable.of(outcome.reply()));
        out().flush();
    }
}
