package org.bloomgate.server.api;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.PhoneNumbers;
import org.bloomgate.decision.evaluation.Explanation;
import org.bloomgate.lookup.tier.LayerLease;
import org.bloomgate.lookup.tier.LayerSource;
import org.bloomgate.server.http.Answer;
import org.bloomgate.server.http.Request;
import org.bloomgate.server.http.Resource;

/// `GET /v1/explain?value=`: how a value is evaluated, step by step, as the command `explain` prints it. For
/// the role reader: it shows which feed lists what, and the exceptions of operators.
final class ExplainResource implements Resource {
    /// Longer than for messages, as a person waits for the explanation.
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final LayerSource layers;
    private final Supplier<PhoneNumbers> phones;

    ExplainResource(LayerSource layers, Supplier<PhoneNumbers> phones) {
        this.layers = layers;
        this.phones = phones;
    }

    @Override
    public Answer answer(Request request) {
        String value =
                request.query("value").orElseThrow(() -> SearchParameters.invalid("value", "what is to be explained"));
        KeyKind kind = request.query("kind")
                .map(label -> KeyKind.ofLabel(label)
                        .orElseThrow(() -> SearchParameters.invalid("kind", "no kind has this name")))
                .orElseGet(() -> Explanation.guessKind(value));
        if (kind == KeyKind.PASSWORD) {
            throw SearchParameters.invalid("kind", "a password cannot be explained without showing it");
        }
        try (LayerLease lease = layers.lease()) {
            Optional<Explanation> explanation =
                    Explanation.of(kind, phones.get().withCode(kind, value), lease, TIMEOUT);
            return Answer.json(explanation.orElseThrow(() -> SearchParameters.invalid("value", "no " + kind.label())));
        }
    }
}
