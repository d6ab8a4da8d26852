package org.bloomgate.lookup.password;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.bloomgate.core.key.PasswordDigest;

/// The usual request, `{"password":"..."}` with printable ASCII that needs no escape, parsed in place: without
/// a string, or any other copy of the password. A request that differs by a byte is left to [PasswordQuestion],
/// which gives the same answer or a problem.
public final class PlainPassword {
    /// Far below what [RequestJson] takes.
    private static final int MAX_CHARS = 1_024;

    private static final byte[] FIELD = "{\"password\":".getBytes(StandardCharsets.US_ASCII);

    private PlainPassword() {}

    /// The digest of the password.
    public static Optional<byte[]> digest(byte[] body) {
        int from = opening(body) + 1;
        int to = body.length - 2;
        boolean plain = from > 0
                && to > from
                && to - from <= MAX_CHARS
                && body[to] == '"'
                && body[to + 1] == '}'
                && isPlain(body, from, to);
        return plain ? Optional.of(PasswordDigest.of(body, from, to)) : Optional.empty();
    }

    /// Where the string begins, after at most one blank; -1 when it does not.
    private static int opening(byte[] body) {
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
