package org.bloomgate.app.cli.inspect;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.bloomgate.app.cli.common.ConfiguredCommand;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.cli.common.InputException;
import org.bloomgate.app.cli.common.Printable;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.app.gateway.wiring.Tiers;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.decision.authentication.MessageSource;
import org.bloomgate.decision.evaluation.Envelope;
import org.bloomgate.decision.evaluation.MessageScan;
import org.bloomgate.decision.evaluation.ReadingRefusedException;
import org.bloomgate.decision.evaluation.ScanResult;
import org.bloomgate.lookup.tier.Verdict;
import org.bloomgate.server.http.AnswerJson;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The command `scan`: evaluates whole messages as the gateway does.
@Command(
        name = "scan",
        description = {
            "Evaluates whole messages as the gateway does and prints identifiers, verdict and action.",
            "Exit status: 1 if a message is listed, 2 if a file cannot be read, 3 if a lookup failed."
        })
public final class ScanCommand extends ConfiguredCommand {
    @Parameters(
            arity = "1..*",
            paramLabel = "FILE",
            description = {
                "A message file, '-' for stdin, mbox:FILE for every message of an mbox (named FILE:1, FILE:2 and so"
                        + " on), or a Maildir (folders new and cur)."
            })
    List<String> files = List.of();

    @Option(names = "--mail-from", paramLabel = "ADDRESS", description = "Reverse-path of the envelope.")
    Optional<String> mailFrom = Optional.empty();

    @Option(names = "--rcpt-to", paramLabel = "ADDRESS", description = "Forward-path. May be repeated.")
    List<String> recipients = List.of();

    @Option(names = "--client", paramLabel = "IP", description = "IP address of the SMTP client.")
    Optional<String> client = Optional.empty();

    @Option(names = "--helo", paramLabel = "NAME", description = "Name of the client in HELO or EHLO.")
    Optional<String> helo = Optional.empty();

    @Option(
            names = "--generation",
            paramLabel = "G",
            description =
                    "Evaluate with this generation of a layer, as named by 'inspect', instead of the current " + "one.")
    Optional<String> generation = Optional.empty();

    @Option(
            names = "--against",
            paramLabel = "G",
            description = "Also evaluate with this generation and print the messages whose result differs. With --json,"
                    + " print all messages; 'against.differs' says which differ. Does not change the exit status.")
    Optional<String> against = Optional.empty();

    @Option(
            names = "--no-dns",
            description = "Do not query DNS. DKIM and SPF of a sender with an exception are then unknown.")
    boolean noDns;

    @Option(names = "--json", description = "Print one JSON object per line.")
    boolean json;

    private boolean listed;
    private boolean unresolved;
    private boolean unreadable;
    private int comparedMessages;
    private int differences;

    @Override
    public Integer call() throws ConfigException, InputException, IOException {
        Envelope envelope = parseEnvelope();
        Configuration config = configuration.read();
        MessageFiles messages = new MessageFiles(config.smtp().limits().maxMessageBytes());
        try (Tiers tiers = openTiers(generation, config)) {
            if (against.isEmpty()) {
                MessageScan scan = createScan(tiers);
                scanEach(
                        messages,
                        (name, message) ->
                                print(noteVerdict(scan.scan(name, readMessage(message, messages), envelope))));
            } else {
                try (Tiers other = openTiers(against, config)) {
                    ScanComparison comparison = new ScanComparison(
                            createScan(tiers), createScan(other), against.get(), messages.maxMessageBytes());
                    scanEach(messages, (name, message) -> print(comparison.scan(name, message, envelope)));
                    remark("%,d of %,d messages differ".formatted(differences, comparedMessages));
                }
            }
        }
        return computeExitStatus();
    }

    private static Tiers openTiers(Optional<String> generation, Configuration config)
            throws IOException, ConfigException {
        return generation.isPresent() ? Tiers.asOf(generation.get(), config) : Tiers.open(config);
    }

    private MessageScan createScan(Tiers tiers) {
        MessageScan scan = new MessageScan(tiers.layers(), tiers.evaluator());
        return noDns ? scan.withoutDns() : scan;
    }

    private static MessageSource readMessage(InputStream message, MessageFiles messages) throws IOException {
        byte[] bytes = ScanComparison.readAll(message, messages.maxMessageBytes());
        return () -> new ByteArrayInputStream(bytes);
    }

    @FunctionalInterface
    private interface MessageHandler {
        void handle(String name, InputStream message) throws IOException;
    }

    private void scanEach(MessageFiles messages, MessageHandler handler) {
        MessageFiles.Receiver receiver = new MessageFiles.Receiver() {
            @Override
            public void take(String name, InputStream message) throws IOException {
                try {
                    handler.handle(name, message);
                } catch (ReadingRefusedException e) {
                    unresolved = true;
                    remark(Printable.of(name) + ": not read: " + e.getMessage());
                }
            }

            @Override
            public void fail(String name, String reason) {
                unreadable = true;
                remark(Printable.of(name) + ": " + reason);
            }
        };
        files.forEach(file -> messages.read(file, receiver));
    }

    private Envelope parseEnvelope() throws InputException {
        try {
            return Envelope.of(mailFrom, recipients, client, helo);
        } catch (IllegalArgumentException e) {
            throw new InputException(Printable.of(String.valueOf(e.getMessage())));
        }
    }

    private int computeExitStatus() {
        if (unreadable) {
            return ExitStatus.MISTAKE;
        } else if (listed) {
            return ExitStatus.LISTED;
        }
        return unresolved ? ExitStatus.UNKNOWN : ExitStatus.FINE;
    }

    private ScanResult noteVerdict(ScanResult result) {
        listed |= result.verdict() == Verdict.Kind.LISTED;
        unresolved |= result.verdict() == Verdict.Kind.UNRESOLVED;
        return result;
    }

    private void print(ScanComparison.Compared comparison) {
        noteVerdict(comparison.result());
        this.comparedMessages++;
        differences += comparison.against().differs() ? 1 : 0;
        if (json) {
            out().println(AnswerJson.line(comparison));
        } else if (comparison.against().differs()) {
            print(comparison.result());
            out().println("  against " + comparison.against().generation() + ": " + describe(comparison.other()));
            comparison.differingIdentifiers().forEach(this::print);
        }
    }

    private void print(ScanResult result) {
        if (json) {
            out().println(AnswerJson.line(result));
            return;
        }
        out().println(Printable.of(result.file()) + ": " + describe(result));
        result.identifiers().forEach(this::print);
        new TreeMap<>(result.decision().result().shadowActions())
                .forEach((feed, action) ->
                        out().println("  shadow: feed " + Printable.of(feed) + " would " + action.label()));
        result.authentication()
                .ifPresent(sender -> out().println("  sender " + Printable.of(sender.name()) + " in " + sender.in()
                        + ": " + Printable.of(sender.text())));
        result.history()
                .ifPresent(history -> history.describe(Instant.now()).forEach(line -> out().println("  " + line)));
        result.lookAlikes()
                .forEach(like -> out().println("  " + Printable.of(like.value()) + "  [" + Printable.of(like.where())
                        + "]  looks like " + Printable.of(like.of()) + " (" + like.trick() + ")"));
        if (!result.limits().isEmpty()) {
            out().println("  not fully inspected: " + String.join(", ", result.limits()));
        }
    }

    private void print(ScanResult.Identified identifier) {
        out().printf(
                        "  %-10s %-8s %s  [%s]%s%n",
                        identifier.verdict().label(),
                        identifier.kind(),
                        Printable.of(identifier.value()),
                        Printable.of(identifier.where()),
                        describeListings(identifier));
    }

    private static String describe(ScanResult result) {
        return result.verdict().label() + ", " + describeAction(result) + " ("
                + Printable.of(result.decision().reason() + describeCause(result)) + ")";
    }

    private static String describeCause(ScanResult result) {
        return result.decision().feed().isEmpty()
                ? ""
                : ", feed " + result.decision().feed() + ", category "
                        + result.decision().category();
    }

    private static String describeListings(ScanResult.Identified identifier) {
        return identifier.listings().stream()
                .map(listing -> "  " + Printable.of(listing.feed()) + " (" + Printable.of(listing.category()) + ")")
                .collect(Collectors.joining());
    }

    private static String describeAction(ScanResult result) {
        String action = result.action().label();
        return result.enforced() == result.action() ? action : "would " + action;
    }
}
