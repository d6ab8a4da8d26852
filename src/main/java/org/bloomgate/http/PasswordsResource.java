package org.bloomgate.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.bloomgate.http.PasswordCheck.ListedVariant;
import org.bloomgate.http.PasswordCheck.Scope;
import org.bloomgate.http.PasswordCheck.Strength;
import org.bloomgate.lookup.LayerLease;

/// `POST /v1/passwords`: whether passwords stand in a list of known ones, and how often they were seen. A password
/// goes no further than its digests: no answer, problem or log line holds it.
final class PasswordsResource implements Resource {
    private static final String EXPECTED =
            "one of {\"password\": string}, {\"passwords\": [string, ..]} and {\"sha1\": 40 hex digits}";
    private static final RequestJson<Question> QUESTION = RequestJson.withOptionalFields(Question.class, EXPECTED);

    private final ValueCheck values;
    private final HttpOptions options;

    PasswordsResource(ValueCheck values, HttpOptions options) {
        this.values = values;
        this.options = options;
    }

    /// One of the first three.
    ///
    /// @param variants asks as well about passwords that these are easily guessed from
    record Question(
            Optional<String> password,
            Optional<List<String>> passwords,
            Optional<String> sha1,
            Optional<Boolean> variants) {

        long asked() {
            return Stream.of(password, passwords, sha1)
                    .filter(Optional::isPresent)
                    .count();
        }

        Scope scope() {
            return variants.orElse(false) ? Scope.WITH_VARIANTS : Scope.AS_GIVEN;
        }

        @Override
        public String toString() {
            return "Question[passwords withheld]";
        }
    }

    /// @param snapshot generations that were asked
    @JsonPropertyOrder({"weak", "count", "variants", "snapshot"})
    record One(
            boolean weak,
            long count,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ListedVariant> variants,
            String snapshot) {}

    /// @param results in order of the question
    @JsonPropertyOrder({"results", "snapshot"})
    record Many(List<Strength> results, String snapshot) {}

    @Override
    public Route route() {
        return Route.post("/v1/passwords", List.of(JSON), options.maxBodyBytes());
    }

    @Override
    public Answer answer(Request request) throws IOException {
        Question question = QUESTION.read(request.body());
        List<PasswordCheck> checks = checks(question);
        try (LayerLease lease = values.lease()) {
            String generations = Generations.of(lease.layers());
            List<Strength> strengths = new PasswordLookup(values.lookup(), lease, request.body())
                    .ask(checks)
                    .orElseThrow(() -> new ProblemException(
                            Problem.unavailable("could not find out whether the password is listed")));
            return Answer.json(
                    question.passwords().isPresent()
                            ? new Many(strengths, generations)
                            : one(strengths.getFirst(), generations));
        }
    }

    private static One one(Strength strength, String generations) {
        return new One(strength.weak(), strength.count(), strength.variants(), generations);
    }

    private List<PasswordCheck> checks(Question question) {
        if (question.asked() != 1 || (question.sha1().isPresent() && question.scope() == Scope.WITH_VARIANTS)) {
            throw refused("expected " + EXPECTED + ", \"variants\": true not with the last");
        }
        if (question.sha1().isPresent()) {
            return List.of(
                    PasswordCheck.ofSha1(question.sha1().get()).orElseThrow(() -> refused("sha1: no 40 hex digits")));
        }
        List<String> passwords =
                question.passwords().orElseGet(() -> List.of(question.password().orElseThrow()));
        if (passwords.size() > options.maxItems()) {
            throw refused("passwords: at most " + options.maxItems());
        }
        List<PasswordCheck> checks = new ArrayList<>(passwords.size());
        for (String password : passwords) {
            checks.add(PasswordCheck.of(password, question.scope())
                    .orElseThrow(() -> refused("password: expected a string of Unicode text that is not empty")));
        }
        return checks;
    }

    private static ProblemException refused(String detail) {
        return new ProblemException(Problem.badRequest(detail));
    }
}
