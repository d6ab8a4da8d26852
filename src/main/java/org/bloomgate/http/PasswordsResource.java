package org.bloomgate.http;

import java.io.IOException;
import java.util.List;
import org.bloomgate.http.ValueCheck.Asked;
import org.bloomgate.key.KeyKind;
import org.bloomgate.verdict.Listing;
import org.bloomgate.verdict.Verdict;

/// `POST /v1/passwords`: whether a password stands in a list of known ones, and how often it was seen. The password
/// goes no further than its digest: no answer, problem or log line holds it.
final class PasswordsResource implements Resource {
    private static final RequestJson<Question> QUESTION = new RequestJson<>(Question.class, "{\"password\": string}");

    private final ValueCheck values;
    private final long maxBodyBytes;

    PasswordsResource(ValueCheck values, HttpOptions options) {
        this.values = values;
        this.maxBodyBytes = options.maxBodyBytes();
    }

    record Question(String password) {
        @Override
        public String toString() {
            return "Question[password withheld]";
        }
    }

    /// @param count the highest count of any list, 0 when no list counts
    /// @param snapshot generation that was asked
    record Strength(boolean weak, long count, String snapshot) {}

    @Override
    public Route route() {
        return Route.post("/v1/passwords", List.of(JSON), maxBodyBytes);
    }

    @Override
    public Answer answer(Request request) throws IOException {
        Question question = QUESTION.read(request.body());
        Asked asked = values.ask(KeyKind.PASSWORD, question.password())
                .orElseThrow(() -> new ProblemException(
                        Problem.badRequest("password: expected a string of Unicode text that is not empty")));
        return switch (asked.verdict()) {
            case Verdict.Clean clean -> Answer.json(new Strength(false, 0, asked.generation()));
            case Verdict.Listed listed -> Answer.json(new Strength(true, count(listed), asked.generation()));
            case Verdict.Unresolved unresolved ->
                Answer.problem(Problem.unavailable("could not find out whether the password is listed"));
        };
    }

    private static long count(Verdict.Listed listed) {
        return listed.listings().stream().mapToLong(Listing::count).max().orElse(0);
    }
}
