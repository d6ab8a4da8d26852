package org.bloomgate.lookup.password;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.bloomgate.core.key.PasswordDigest;

/// The usual request, `{"password":"..."}` with printable ASCII that needs no escape, parsed in place: without
/// a string, or any other copy of the password. Any other request is parsed as JSON, with the same result.
public final class PlainPassword {
    /// Far below what the bound of a request body.
    private static final int MAX_CHARS = 1_024;

    private static final byte[] FIELD = "{\"password\":".getBytes(StandardCharsets.US_ASCII);

    private PlainPassword() {}

    /// Returns the digest of the password; empty for any other form of request.
    public static Optional<byte[]> computeDigest(byte[] body) {
        int from = findOpeningQuote(body) + 1;
        int to = body.length - 2;
        boolean isPlain = from > 0
                && to > from
                && to - from <= MAX_CHARS
                && body[to] == '"'
                && body[to + 1] == '}'
                && isPlain(body, from, to);
        return isPlain ? Optional.of(PasswordDigest.of(body, from, to)) : Optional.empty();
    }

    /// Returns the position of the opening quote, after at most one blank; -1 if there is none.
    private static int findOpeningQuote(byte[] body) {
        int at = FIELD.length;
        if (body.length <= at + 1 || !Arrays.equals(body, 0, at, FIELD, 0, at)) {
            return -1;
        }
        at += body[at] == ' ' ? 1 : 0;
        return body[at] == '"' ? at : -1;
    }

    private static boolean isPlain(byte[] body, int from, int to) {
        for (int i = from; i < to; i++) {
            if (body[i] < ' ' || body[i] == 0x7f || body[i] == '"' || body[i] == '\\') {
                return false;
            }
        }
        return true;
    }
}
