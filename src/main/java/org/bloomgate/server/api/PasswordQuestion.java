package org.bloomgate.server.api;

import java.io.IOException;
import java.util.Optional;
import java.util.stream.Stream;
import org.bloomgate.lookup.password.DigestMode;
import org.bloomgate.lookup.password.PasswordCheck;
import org.bloomgate.lookup.password.PasswordCheck.Scope;
import org.bloomgate.server.http.Problem;
import org.bloomgate.server.http.ProblemException;
import org.bloomgate.server.http.RequestJson;

/// The body of `POST /v1/passwords`: one of the first three fields.
///
/// @param variants also looks up passwords of which the password is a small variation
record PasswordQuestion(
        Optional<String> password, Optional<String> sha1, Optional<String> ntlm, Optional<Boolean> variants) {
    private static final String EXPECTED =
            "one of {\"password\": string}, {\"sha1\": 40 hex digits} and {\"ntlm\": 32 hex digits}";
    private static final RequestJson<PasswordQuestion> JSON =
            RequestJson.withOptionalFields(PasswordQuestion.class, EXPECTED);

    /// @throws ProblemException if it is not one
    /// @throws IOException only when the connection fails
    static PasswordQuestion read(byte[] body) throws IOException {
        PasswordQuestion question = JSON.read(body);
        long queried = Stream.of(question.password, question.sha1, question.ntlm)
                .filter(Optional::isPresent)
                .count();
        if (queried != 1 || (question.password.isEmpty() && question.scope() == Scope.WITH_VARIANTS)) {
            throw new ProblemException(
                    Problem.invalidBody("expected " + EXPECTED + ", \"variants\": true only with a password"));
        }
        return question;
    }

    private Scope scope() {
        return variants.orElse(false) ? Scope.WITH_VARIANTS : Scope.AS_GIVEN;
    }

    DigestMode mode() {
        return ntlm.isPresent() ? DigestMode.NTLM : DigestMode.SHA1;
    }

    /// The check that the request contains.
    ///
    /// @throws ProblemException if it is neither a password nor a digest
    PasswordCheck check() {
        if (password.isPresent()) {
            return PasswordCheck.of(password.get(), scope())
                    .orElseThrow(() -> refused("password: expected a string of Unicode text that is not empty"));
        }
        return sha1.or(() -> ntlm)
                .flatMap(digest -> PasswordCheck.ofDigest(mode(), digest))
                .orElseThrow(() -> refused(mode().label() + ": expected " + 2 * mode().digestBytes() + " hex digits"));
    }

    private static ProblemException refused(String detail) {
        return new ProblemException(Problem.badRequest(detail));
    }

    @Override
    public String toString() {
        return "PasswordQuestion[passwords withheld]";
    }
}
