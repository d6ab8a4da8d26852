package org.bloomgate.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.bloomgate.decision.evaluation.Generations;
import org.bloomgate.decision.evaluation.ValueCheck;
import org.bloomgate.lookup.password.DigestMode;
import org.bloomgate.lookup.password.PasswordCheck;
import org.bloomgate.lookup.password.PasswordCheck.Strength;
import org.bloomgate.lookup.password.PasswordLookup;
import org.bloomgate.lookup.password.PlainPassword;
import org.bloomgate.lookup.tier.Layer;
import org.bloomgate.lookup.tier.LayerLease;
import org.bloomgate.server.http.Answer;
import org.bloomgate.server.http.Problem;
import org.bloomgate.server.http.ProblemException;
import org.bloomgate.server.http.ProblemType;
import org.bloomgate.server.http.Request;
import org.bloomgate.server.http.RequestBody;
import org.bloomgate.server.http.Resource;

/// `POST /v1/passwords`: whether a password is in a list of known ones, and how often it was seen. A password
/// goes no further than its digests: no answer, problem or log line contains it.
final class PasswordsResource implements Resource {
    private static final Problem UNRESOLVED = Problem.unavailable("could not find out whether the password is listed");

    private static final Problem NO_LIST = Problem.of(
            ProblemType.NO_PASSWORD_LIST,
            "no list of such passwords is loaded; add a feed of kind password and rebuild");

    private final ValueCheck values;
    private volatile NotListed notListed = new NotListed(List.of(), Answer.json(passwordAnswer(Strength.GOOD, "")));

    PasswordsResource(ValueCheck values) {
        this.values = values;
    }

    /// The most frequent answer, for these layers.
    private record NotListed(List<Layer> layers, Answer answer) {}

    /// @param snapshot generations used
    @JsonPropertyOrder({"weak", "count", "snapshot"})
    record PasswordAnswer(boolean weak, long count, String snapshot) {}

    @Override
    public Answer answer(Request request) throws IOException {
        byte[] body = request.body().readAllBytes();
        Optional<byte[]> digest = PlainPassword.computeDigest(body);
        return digest.isPresent()
                ? answerPlain(digest.get(), request.body())
                : answerQuestion(PasswordQuestion.read(body), request.body());
    }

    private Answer answerPlain(byte[] digest, RequestBody time) {
        try (LayerLease lease = values.lease()) {
            PasswordLookup lookup = new PasswordLookup(values.lookup(), lease, time::inTime);
            OptionalLong count = lookup.lookUp(digest);
            if (count.isEmpty()) {
                return Answer.problem(problem(lookup, DigestMode.SHA1));
            }
            return count.getAsLong() < 0
                    ? notListed(lease.layers())
                    : Answer.json(
                            passwordAnswer(new Strength(true, count.getAsLong()), Generations.join(lease.layers())));
        }
    }

    /// Created once for each set of layers; a changed set is always another object.
    @SuppressWarnings("ReferenceEquality")
    private Answer notListed(List<Layer> layers) {
        NotListed now = notListed;
        if (now.layers != layers) {
            now = new NotListed(layers, Answer.json(passwordAnswer(Strength.GOOD, Generations.join(layers))));
            notListed = now;
        }
        return now.answer;
    }

    private Answer answerQuestion(PasswordQuestion question, RequestBody time) {
        PasswordCheck check = question.check();
        try (LayerLease lease = values.lease()) {
            PasswordLookup lookup = new PasswordLookup(values.lookup(), lease, time::inTime);
            Strength strength = lookup.lookUp(question.mode(), check)
                    .orElseThrow(() -> new ProblemException(problem(lookup, question.mode())));
            return Answer.json(passwordAnswer(strength, Generations.join(lease.layers())));
        }
    }

    private static Problem problem(PasswordLookup lookup, DigestMode mode) {
        return lookup.hasList(mode) ? UNRESOLVED : NO_LIST;
    }

    private static PasswordAnswer passwordAnswer(Strength strength, String generations) {
        return new PasswordAnswer(strength.weak(), strength.count(), generations);
    }
}
