package org.bloomgate.app.cli.inspect;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.bloomgate.app.cli.common.AuditEventText;
import org.bloomgate.app.cli.common.CliAudit;
import org.bloomgate.app.cli.common.ConfiguredCommand;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.cli.common.InputException;
import org.bloomgate.app.cli.common.KindOption;
import org.bloomgate.app.cli.common.Printable;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.app.gateway.wiring.Tiers;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.base.io.Token;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.decision.evaluation.Explanation;
import org.bloomgate.decision.journal.Decision;
import org.bloomgate.decision.journal.DecisionJournal;
import org.bloomgate.decision.journal.JsonDecisionJournal;
import org.bloomgate.lookup.tier.LayerLease;
import org.bloomgate.server.http.AnswerJson;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The command `explain`: explains why a value is listed or not, or the decision with a token.
@Command(
        name = "explain",
        description = {
            "Explains a value: canonical form step by step, keys, and the answers of each filter and "
                    + "exact lookup.",
            "With a token from a reply, a Received field or the log, shows that decision.",
            "Exit status 1 if the value is listed, 3 if there is no snapshot or no such decision."
        })
public final class ExplainCommand extends ConfiguredCommand {
    /// Longer than for messages, because a person waits for the answer.
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    @Parameters(paramLabel = "VALUE|TOKEN", description = "A URL, domain, address or SHA-256 of a file, or a token.")
    String subject;

    @Mixin
    KindOption kind;

    @Option(names = "--json", description = "Print one JSON object.")
    boolean json;

    @Override
    public Integer call() throws ConfigException, InputException, IOException {
        Configuration read = configuration.read();
        Optional<String> token = kind.isGiven() ? Optional.empty() : Token.parse(subject);
        return token.isPresent() ? decision(token.get(), read) : value(read);
    }

    private int decision(String token, Configuration read) throws IOException {
        try (DecisionJournal journal = new JsonDecisionJournal(read.journal(), InstantSource.system())) {
            Optional<Decision> recorded = journal.find(token);
            if (recorded.isEmpty()) {
                remark("no decision " + token + " in " + read.journal().directory());
                return ExitStatus.UNKNOWN;
            }
            if (json) {
                out().println(AnswerJson.line(recorded.get()));
            } else {
                out().println(DecisionText.of(recorded.get()));
                CliAudit.since(recorded.get(), read)
                        .forEach(event -> out().println("since then: " + AuditEventText.of(event)));
            }
            return ExitStatus.FINE;
        }
    }

    /// A word without a dot cannot be a listed domain; it is probably a mistyped token.
    private boolean isProbablyToken() {
        return !kind.isGiven()
                && Explanation.guessKind(subject) == KeyKind.DOMAIN
                && subject.indexOf('.') < 0
                && subject.codePoints().allMatch(c -> c < 0x80);
    }

    private int value(Configuration read) throws ConfigException, InputException, IOException {
        if (isProbablyToken()) {
            throw new InputException("'" + Printable.of(subject) + "' is neither a token (" + Token.LENGTH
                    + " letters and digits, without U) nor a URL, domain, address or SHA-256;"
                    + " --kind names the kind of any other value");
        }
        KeyKind valueKind = kind.resolve(
                subject,
                "a password cannot be explained without showing it: 'check password' says whether it is listed");
        try (Tiers tiers = Tiers.open(read);
                LayerLease lease = tiers.layers().lease()) {
            Explanation explanation = Explanation.of(
                            valueKind, read.phones().withCode(valueKind, subject), lease, TIMEOUT)
                    .orElseThrow(() -> new InputException(
                            "'" + Printable.of(subject) + "' has no canonical form as " + valueKind.label()));
            out().println(json ? AnswerJson.line(explanation) : ExplanationText.of(explanation));
            if (lease.layers().isEmpty()) {
                remark("no snapshot in " + read.snapshots());
            }
            return ExitStatus.of(explanation.verdict());
        }
    }
}
