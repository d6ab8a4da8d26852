package org.bloomgate.base.net;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.bloomgate.base.io.Sha256;

/// Tokens of `Authorization: Bearer TOKEN` fields (RFC 6750) in the configuration. A server's may be the token
/// itself, or `sha256:` and its digest; a client's is the token itself.
public final class BearerToken {
    /// The header field.
    public static final String FIELD = "Authorization";

    /// The minimum length of a token, so that it cannot be guessed.
    public static final int MIN_CHARS = 16;

    private static final String SCHEME = "Bearer ";
    private static final String DIGEST = "sha256:";
    private static final Pattern DIGITS = Pattern.compile(DIGEST + "[0-9A-Fa-f]{64}");
    private static final Pattern SENDABLE = Pattern.compile("[!-~]{" + MIN_CHARS + ",}");

    private BearerToken() {}

    /// The token in the value of a field; empty for another scheme.
    public static Optional<String> extract(String field) {
        return field.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                ? Optional.of(field.substring(SCHEME.length()).strip())
                : Optional.empty();
    }

    /// The value of a field with this token.
    public static String formatField(String token) {
        return SCHEME + token;
    }

    /// Whether a server may have it: a digest is complete, and a plain token is too long to be guessed.
    public static boolean isAcceptable(String configured) {
        return configured.startsWith(DIGEST)
                ? DIGITS.matcher(configured).matches()
                : configured.strip().length() >= MIN_CHARS;
    }

    /// Whether a server's token is the token itself and not only its digest.
    public static boolean isPlain(String configured) {
        return !configured.isEmpty() && !configured.startsWith(DIGEST);
    }

    /// The SHA-256 of a server's token in lower-case hexadecimal digits.
    public static String digest(String configured) {
        return configured.startsWith(DIGEST)
                ? configured.substring(DIGEST.length()).toLowerCase(Locale.ROOT)
                : Sha256.hex(configured.getBytes(StandardCharsets.UTF_8));
    }

    /// A server's form of a token, which does not reveal it.
    public static String toConfigured(String token) {
        return DIGEST + digest(token);
    }

    /// @param token of a client; empty if it has none
    /// @throws IllegalArgumentException when no server accepts it; the message begins with the key `token`
    public static void requireSendable(String token) {
        if (!token.isEmpty()
                && (token.startsWith(DIGEST) || !SENDABLE.matcher(token).matches())) {
            throw new IllegalArgumentException("token: write the token itself, not its digest: at least " + MIN_CHARS
                    + " printable ASCII characters without spaces");
        }
    }
}
