package org.bloomgate.app.cli.common;

import java.util.Iterator;
import java.util.Optional;
import java.util.stream.Stream;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.decision.evaluation.Explanation;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/// The kind of a value, for commands that otherwise infer it from its form.
public final class KindOption {
    @Option(
            names = "--kind",
            paramLabel = "KIND",
            converter = Kind.class,
            completionCandidates = Kind.class,
            description = "Kind of the value, where its form does not show it: ${COMPLETION-CANDIDATES}.")
    Optional<KeyKind> kind = Optional.empty();

    public boolean isGiven() {
        return kind.isPresent();
    }

    /// The kind from the option, or inferred from the value.
    ///
    /// @param whyNoSecret the error message for a secret kind
    /// @throws InputException if values of the kind are secret
    public KeyKind resolve(String value, String whyNoSecret) throws InputException {
        KeyKind resolved = kind.orElseGet(() -> Explanation.guessKind(value));
        if (resolved.rules().isSecret()) {
            throw new InputException(whyNoSecret);
        }
        return resolved;
    }

    /// A kind by its label.
    public static final class Kind implements ITypeConverter<KeyKind>, Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Stream.of(KeyKind.values()).map(KeyKind::label).iterator();
        }

        @Override
        public KeyKind convert(String label) {
            return KeyKind.ofLabel(label)
                    .orElseThrow(() -> new TypeConversionException("'" + label + "' is none of " + KeyKind.labels()));
        }
    }
}
