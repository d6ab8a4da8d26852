package org.bloomgate.server.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;
import org.bloomgate.base.io.Sha256;

/// The token of an `Authorization: Bearer TOKEN` header, compared in constant time. An empty token gives no
/// access.
///
/// @param token itself, or `sha256:` and its digest in 64 hexadecimal digits
public record AdminToken(String token) {
    private static final String SCHEME = "Bearer ";
    private static final String DIGEST = "sha256:";
    static final int MIN_CHARS = 16;
    private static final Pattern DIGITS = Pattern.compile("[0-9A-Fa-f]{64}");

    /// Whether it can be one: a digest is complete, and a plain token is too long to be guessed.
    static boolean isPossible(String token) {
        return token.startsWith(DIGEST)
                ? DIGITS.matcher(token.substring(DIGEST.length())).matches()
                : token.length() >= MIN_CHARS;
    }

    @Override
    public String toString() {
        return "AdminToken[withheld]";
    }

    boolean opensNothing() {
        return token.isEmpty();
    }

    boolean isGivenBy(Request request) {
        return !opensNothing() && bearer(request).filter(this::equal).isPresent();
    }

    /// The token that a request has, whosever it is.
    public static Optional<String> bearer(Request request) {
        return request.header("Authorization")
                .filter(given -> given.regionMatches(true, 0, SCHEME, 0, SCHEME.length()))
                .map(given -> given.substring(SCHEME.length()).strip());
    }

    private boolean equal(String given) {
        byte[] bytes = given.getBytes(StandardCharsets.UTF_8);
        return token.startsWith(DIGEST)
                ? MessageDigest.isEqual(Sha256.of(bytes), HexFormat.of().parseHex(token.substring(DIGEST.length())))
                : MessageDigest.isEqual(bytes, token.getBytes(StandardCharsets.UTF_8));
    }
}
