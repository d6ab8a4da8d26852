package org.bloomgate.server.api;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.bloomgate.lookup.password.DigestMode;
import org.bloomgate.lookup.password.PasswordCheck;
import org.bloomgate.lookup.password.PasswordCheck.Scope;
import org.bloomgate.server.http.Problem;
import org.bloomgate.server.http.ProblemException;
import org.bloomgate.server.http.RequestJson;

/// The body of `POST /v1/passwords`: one field of the first six.
///
/// @param variants also looks up passwords of which these are small variations
record PasswordQuestion(
        Optional<String> password,
        Optional<List<String>> passwords,
        Optional<String> sha1,
        Optional<List<String>> sha1s,
        Optional<String> ntlm,
        Optional<List<String>> ntlms,
        Optional<Boolean> variants) {
    private static final String EXPECTED = "one of {\"password\": string}, {\"sha1\": 40 hex digits},"
            + " {\"ntlm\": 32 hex digits}, {\"passwords\": [..]}, {\"sha1s\": [..]} and {\"ntlms\": [..]}";
    private static final RequestJson<PasswordQuestion> JSON =
            RequestJson.withOptionalFields(PasswordQuestion.class, EXPECTED);

    /// @throws ProblemException if it is not one
    /// @throws IOException only when the connection fails
    static PasswordQuestion read(byte[] body) throws IOException {
        PasswordQuestion question = JSON.read(body);
        long queried = question.fields().filter(Optional::isPresent).count();
        boolean digests = question.password.isEmpty() && question.passwords.isEmpty();
        if (queried != 1 || (digests && question.scope() == Scope.WITH_VARIANTS)) {
            throw refused("expected " + EXPECTED + ", \"variants\": true only with passwords");
        }
        return question;
    }

    private Stream<Optional<?>> fields() {
        return Stream.of(password, passwords, sha1, sha1s, ntlm, ntlms);
    }

    private Scope scope() {
        return variants.orElse(false) ? Scope.WITH_VARIANTS : Scope.AS_GIVEN;
    }

    /// Whether a list of answers is wanted.
    boolean many() {
        return passwords.isPresent() || sha1s.isPresent() || ntlms.isPresent();
    }

    DigestMode mode() {
        return ntlm.isPresent() || ntlms.isPresent() ? DigestMode.NTLM : DigestMode.SHA1;
    }

    /// The checks that the request contains, in order.
    ///
    /// @throws ProblemException if one is neither a password nor a digest, or there are too many
    List<PasswordCheck> checks(int maxItems) {
        List<PasswordCheck> checks = new ArrayList<>();
        passwords.or(() -> password.map(List::of)).ifPresent(all -> {
            requireBounds(all, maxItems);
            all.forEach(one -> checks.add(PasswordCheck.of(one, scope())
                    .orElseThrow(() -> refused("password: expected a string of Unicode text that is not empty"))));
        });
        Stream.of(sha1s.or(() -> sha1.map(List::of)), ntlms.or(() -> ntlm.map(List::of)))
                .flatMap(Optional::stream)
                .forEach(all -> {
                    requireBounds(all, maxItems);
                    all.forEach(one -> checks.add(PasswordCheck.ofDigest(mode(), one)
                            .orElseThrow(() ->
                                    refused(mode().label() + ": no " + 2 * mode().digestBytes() + " hex digits"))));
                });
        return checks;
    }

    private static void requireBounds(List<String> all, int maxItems) {
        if (all.size() > maxItems) {
            throw new ProblemException(Problem.tooMany(maxItems));
        }
    }

    private static ProblemException refused(String detail) {
        return new ProblemException(Problem.badRequest(detail));
    }

    @Override
    public String toString() {
        return "PasswordQuestion[passwords withheld]";
    }
}
