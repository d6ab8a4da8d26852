package org.bloomgate.app.cli.inspect;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.bloomgate.app.cli.common.ConfiguredCommand;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.cli.common.InputException;
import org.bloomgate.app.cli.common.LimitOption;
import org.bloomgate.app.cli.common.Printable;
import org.bloomgate.app.cli.common.SinceOptions;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.core.smtp.RefusedRecipient;
import org.bloomgate.decision.journal.Decision;
import org.bloomgate.decision.journal.DecisionJournal;
import org.bloomgate.decision.journal.DecisionQuery;
import org.bloomgate.decision.journal.DecisionQuery.By;
import org.bloomgate.decision.journal.JsonDecisionJournal;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.server.http.AnswerJson;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/// The command `decisions`: searches the decision journal.
@Command(
        name = "decisions",
        description = {
            "Searches the decision journal, newest first. With several options, messages that match " + "all of them.",
            "'explain TOKEN' shows everything that is recorded of one message."
        })
public final class DecisionsCommand extends ConfiguredCommand {
    /// No time limit: the journal is a local file, and the user may interrupt the search.
    private static final Duration SEARCH_TIMEOUT = Duration.ofDays(1);

    @Option(
            names = "--mail-from",
            paramLabel = "A",
            description = "Mailbox or domain of the sender; '<>' for the null sender.")
    String mailFrom = "";

    @Option(names = "--rcpt-to", paramLabel = "B", description = "Mailbox or domain of a recipient.")
    String rcptTo = "";

    @Option(names = "--client", paramLabel = "IP", description = "IP address of the SMTP client.")
    String client = "";

    @Option(names = "--value", paramLabel = "V", description = "Listed value: a URL, its host, a domain, an address.")
    String value = "";

    @Option(names = "--feed", paramLabel = "F", description = "Name of the feed that listed it.")
    String feed = "";

    @Option(
            names = "--action",
            paramLabel = "X",
            converter = Actions.class,
            completionCandidates = Actions.class,
            description = "Action of the policy, or the one that was enforced: ${COMPLETION-CANDIDATES}.")
    String action = "";

    @Option(names = "--message-id", paramLabel = "ID", description = "Message-ID, with or without its brackets.")
    String messageId = "";

    @Option(
            names = "--new-link",
            paramLabel = "DOMAIN",
            arity = "0..1",
            fallbackValue = DecisionQuery.ANY,
            description = "Newest link domain, if it was not known; without DOMAIN: any.")
    String newLink = "";

    @Mixin
    SinceOptions options;

    @Mixin
    LimitOption limit;

    @Override
    public Integer call() throws ConfigException, InputException, IOException {
        Configuration read = configuration.read();
        try (JsonDecisionJournal journal = new JsonDecisionJournal(read.journal(), InstantSource.system())) {
            DecisionJournal.SearchResult result = journal.find(query(), Optional.empty(), SEARCH_TIMEOUT);
            result.decisions()
                    .forEach(decision -> out().println(options.json ? AnswerJson.line(decision) : text(decision)));
            if (result.decisions().isEmpty()) {
                remark("no such decision in " + read.journal().directory() + " since then");
            }
            limit.remarkIfReached(result.decisions().size()).ifPresent(this::remark);
        }
        return ExitStatus.FINE;
    }

    private DecisionQuery query() throws InputException {
        Map<By, String> texts = new EnumMap<>(By.class);
        Map.of(
                        By.MAIL_FROM, mailFrom,
                        By.RCPT_TO, rcptTo,
                        By.CLIENT, client,
                        By.VALUE, value,
                        By.FEED, feed,
                        By.ACTION, action,
                        By.MESSAGE_ID, messageId,
                        By.NEW_LINK, newLink)
                .forEach((by, text) -> {
                    if (!text.isBlank()) {
                        texts.put(by, text);
                    }
                });
        return DecisionQuery.since(texts, options.since(), limit.require(DecisionQuery.MAX_LIMIT));
    }

    /// `TIME  TOKEN  ACTION  <SENDER> to RECIPIENTS  SUBJECT  (FEED lists VALUE)  reply REPLY`, with the reply if the
    /// message was not accepted. Recipients rejected for a reason other than policy follow the others as
    /// `RECIPIENT (refused: 550)`.
    static String text(Decision decision) {
        String action = decision.outcome().enforced().equals(decision.outcome().action())
                ? decision.outcome().action()
                : "would " + decision.outcome().action();
        String cause = decision.outcome().feed().isEmpty()
                ? ""
                : "  (" + Printable.of(decision.outcome().feed()) + " lists "
                        + Printable.of(decision.outcome().value()) + ")";
        return decision.time().truncatedTo(ChronoUnit.SECONDS) + "  " + decision.token() + "  "
                + "%-10s".formatted(action) + "  <"
                + Printable.of(decision.envelope().mailFrom()) + "> to " + Printable.of(recipients(decision))
                + (decision.content().heading().subject().isEmpty()
                        ? ""
                        : "  " + Printable.of(decision.content().heading().subject()))
                + cause
                + (decision.processing().negativeReply().isEmpty()
                        ? ""
                        : "  reply " + Printable.of(decision.processing().negativeReply()));
    }

    private static String recipients(Decision decision) {
        return Stream.concat(
                        decision.envelope().recipients().stream(),
                        decision.envelope().refused().stream()
                                .map(RefusedRecipient::of)
                                .map(recipient -> recipient.path() + " (refused: " + recipient.code() + ")"))
                .collect(joining(", "));
    }

    /// The names of actions in decisions.
    static final class Actions implements ITypeConverter<String>, Iterable<String> {
        private static final List<String> LABELS = Stream.concat(
                        Stream.of(Action.values()).map(Action::label), Stream.of(Decision.NONE, Decision.LOST))
                .toList();

        @Override
        public Iterator<String> iterator() {
            return LABELS.iterator();
        }

        @Override
        public String convert(String label) {
            return LABELS.stream()
                    .filter(label.strip()::equalsIgnoreCase)
                    .findFirst()
                    .orElseThrow(() ->
                            new TypeConversionException("'" + label + "' is none of " + String.join(", ", LABELS)));
        }
    }
}
