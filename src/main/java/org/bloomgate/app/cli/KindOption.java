package org.bloomgate.app.cli;

import java.util.Optional;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.decision.evaluation.Explanation;
import picocli.CommandLine.Option;

/// The kind of a value, for commands that otherwise infer it from its form.
final class KindOption {
    @Option(
            names = "--kind",
            paramLabel = "KIND",
            converter = CheckCommand.Kind.class,
            completionCandidates = CheckCommand.Kind.class,
            description = "Kind of the value, where its form does not show it: ${COMPLETION-CANDIDATES}.")
    Optional<KeyKind> kind = Optional.empty();

    boolean isGiven() {
        return kind.isPresent();
    }

    /// @throws InputException when it is a secret
    KeyKind of(String value, String whyNoSecret) throws InputException {
        KeyKind of = kind.orElseGet(() -> Explanation.kindOf(value));
        if (of.rules().isSecret()) {
            throw new InputException(whyNoSecret);
        }
        return of;
    }
}
