package org.bloomgate.server.api;

import java.io.IOException;
import java.util.Optional;
import java.util.stream.Stream;
import org.bloomgate.lookup.password.DigestMode;
import org.bloomgate.lookup.password.PasswordCheck;
import org.bloomgate.server.http.Problem;
import org.bloomgate.server.http.ProblemException;
import org.bloomgate.server.http.RequestJson;

/// The body of `POST /v1/passwords`: exactly one of the three fields.
record PasswordQuestion(Optional<String> password, Optional<String> sha1, Optional<String> ntlm) {
    private static final String EXPECTED =
            "one of {\"password\": string}, {\"sha1\": 40 hex digits} and {\"ntlm\": 32 hex digits}";
    private static final RequestJson<PasswordQuestion> JSON =
            RequestJson.withOptionalFields(PasswordQuestion.class, EXPECTED);

    /// @throws ProblemException if it is invalid
    static PasswordQuestion read(byte[] body) throws IOException {
        PasswordQuestion question = JSON.read(body);
        long fields = Stream.of(question.password, question.sha1, question.ntlm)
                .filter(Optional::isPresent)
                .count();
        if (fields != 1) {
            throw new ProblemException(Problem.invalidBody("expected " + EXPECTED));
        }
        return question;
    }

    DigestMode mode() {
        return ntlm.isPresent() ? DigestMode.NTLM : DigestMode.SHA1;
    }

    /// The check that the request contains.
    ///
    /// @throws ProblemException if it is neither a password nor a digest
    PasswordCheck check() {
        if (password.isPresent()) {
            return PasswordCheck.of(password.get())
                    .orElseThrow(() -> SearchParameters.invalid(
                            "password", "expected a string of Unicode text that is not empty"));
        }
        return sha1.or(() -> ntlm)
                .flatMap(digest -> PasswordCheck.ofDigest(mode(), digest))
                .orElseThrow(() -> SearchParameters.invalid(
                        mode().label(), "expected " + 2 * mode().digestBytes() + " hex digits"));
    }

    @Override
    public String toString() {
        return "PasswordQuestion[passwords withheld]";
    }
}
