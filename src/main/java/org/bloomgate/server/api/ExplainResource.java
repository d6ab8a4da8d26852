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
import org.bloomgate.server.http.Problem;
import org.bloomgate.server.http.ProblemException;
import org.bloomgate.server.http.Request;
import org.bloomgate.server.http.Resource;
import org.bloomgate.server.http.Role;
import org.bloomgate.server.http.Route;

/// `GET /v1/explain?value=`: how a value is evaluated, step by step, as the command `explain` prints it. For
/// the role reader: it shows which feed lists what, and the exceptions of operators.
final class ExplainResource implements Resource {
    private static final String VALUE = "value";
    private static final String KIND = "kind";

    /// Explaining is for people: the exact tier may take its time.
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final LayerSource layers;
    private final Supplier<PhoneNumbers> phones;

    ExplainResource(LayerSource layers, Supplier<PhoneNumbers> phones) {
        this.layers = layers;
        this.phones = phones;
    }

    @Override
    public Route route() {
        return Route.get("/v1/explain", Role.READER).with(VALUE, KIND);
    }

    @Override
    public Answer answer(Request request) {
        String value = request.query(VALUE).orElseThrow(() -> badRequest("value: what is to be explained"));
        KeyKind kind = request.query(KIND)
                .map(label -> KeyKind.ofLabel(label).orElseThrow(() -> badRequest("kind: no kind has this name")))
                .orElseGet(() -> Explanation.kindOf(value));
        if (kind == KeyKind.PASSWORD) {
            throw badRequest("kind: a password cannot be explained without showing it");
        }
        try (LayerLease lease = layers.lease()) {
            Optional<Explanation> explanation =
                    Explanation.of(kind, phones.get().withCode(kind, value), lease, TIMEOUT);
            return Answer.json(explanation.orElseThrow(() -> badRequest("value: no " + kind.label())));
        }
    }

    private static ProblemException badRequest(String detail) {
        return new ProblemException(Problem.badRequest(detail));
    }
}
