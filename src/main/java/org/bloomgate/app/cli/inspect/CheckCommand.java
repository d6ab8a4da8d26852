package org.bloomgate.app.cli.inspect;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.bloomgate.app.cli.common.ConfiguredCommand;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.cli.common.KindOption;
import org.bloomgate.app.cli.common.Printable;
import org.bloomgate.app.cli.common.StdinLines;
import org.bloomgate.app.gateway.wiring.Tiers;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.decision.evaluation.CheckResult;
import org.bloomgate.decision.evaluation.ValueCheck;
import org.bloomgate.lookup.tier.Verdict;
import org.bloomgate.server.http.AnswerJson;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The command `check`: prints the verdict on single values.
@Command(
        name = "check",
        description = {
            "Prints for each value the verdict, the value and the listings.",
            "Exit status 1 if any value is listed, 3 if any could not be looked up."
        })
public final class CheckCommand extends ConfiguredCommand {
    @Parameters(
            index = "0",
            paramLabel = "KIND",
            converter = KindOption.Kind.class,
            completionCandidates = KindOption.Kind.class,
            description = "${COMPLETION-CANDIDATES}; a hash is the SHA-256 of a file.")
    KeyKind kind;

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "VALUE",
            description =
                    "Values; '-' for the lines of stdin, also in gzip or UTF-16, empty ones skipped. A password is "
                            + "never echoed.")
    List<String> values = List.of();

    @Option(names = "--json", description = "Print one JSON object per line.")
    boolean json;

    private boolean listed;
    private boolean unresolved;
    private boolean hasInvalidValue;

    @Override
    public Integer call() throws ConfigException, IOException {
        try (Tiers tiers = Tiers.open(configuration.read())) {
            ValueCheck check = new ValueCheck(
                    tiers.layers(),
                    tiers.evaluator().lookup(),
                    tiers.evaluator().phones());
            if (values.equals(List.of("-"))) {
                StdinLines lines = new StdinLines(System.in);
                for (Optional<byte[]> line = lines.next(); line.isPresent(); line = lines.next()) {
                    String value = text(line.get());
                    if (!value.isEmpty()) {
                        check(check, value);
                    }
                }
            } else {
                values.forEach(value -> check(check, value));
            }
        }
        return status();
    }

    private static String text(byte[] line) {
        String text = new String(line, StandardCharsets.UTF_8);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }

    private void check(ValueCheck check, String value) {
        check.check(kind, value).ifPresentOrElse(this::print, () -> reject(value));
    }

    private void print(CheckResult result) {
        listed |= result.verdict() == Verdict.Kind.LISTED;
        unresolved |= result.verdict() == Verdict.Kind.UNRESOLVED;
        out().println(json ? AnswerJson.line(result) : line(result));
        if (!result.reason().isEmpty()) {
            remark("unresolved: " + result.reason());
        }
    }

    private static String line(CheckResult result) {
        String listings = result.listings().stream()
                .map(listing -> "\t" + listing.feed() + " (" + listing.category() + ") " + Printable.of(listing.key()))
                .collect(joining());
        return result.verdict().label() + "\t" + Printable.of(result.value()) + listings;
    }

    private void reject(String value) {
        hasInvalidValue = true;
        String subject = kind.rules().isSecret() ? "that" : "'" + Printable.of(value) + "'";
        remark(subject + " has "
                + (kind.rules().isSecret()
                        ? "no canonical form as " + kind.label()
                        : ValueCheck.describeMismatch(kind, value)));
    }

    private int status() {
        if (hasInvalidValue) {
            return ExitStatus.MISTAKE;
        } else if (listed) {
            return ExitStatus.LISTED;
        }
        return unresolved ? ExitStatus.UNKNOWN : ExitStatus.FINE;
    }
}
