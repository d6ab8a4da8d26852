package org.bloomgate.core.url;

/// Undoes percent escapes until none is left, and escapes the few bytes that need it.
public final class Escapes {
    /// The bytes that are escaped in a query: controls, blank, DEL and above, `#` and `%`.
    static final boolean[] QUERY = table("");
    /// In a path also `?`, so that it does not look like the start of a query.
    static final boolean[] PATH = table("?");
    /// In a host also the characters that would end or split it.
    static final boolean[] HOST = table("/?@\\:");

    private static final int ESCAPE_BYTES = "%41".length();

    private static final byte[] HEX = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};

    private Escapes() {}

    private static boolean[] table(String more) {
        boolean[] escaped = new boolean[256];
        for (int next = 0; next < escaped.length; next++) {
            escaped[next] = next <= ' ' || next >= 0x7f || next == '#' || next == '%' || more.indexOf(next) >= 0;
        }
        return escaped;
    }

    /// Replaces `%XX` by its byte in place until none is left; a `%` without two hex digits stays. Returns the new
    /// end.
    ///
    /// One pass: a byte written may complete an escape that ends with it (`%25` + `41`, `%4` + `%31`), which is
    /// undone at once. Escapes cannot overlap, so the order does not matter and the work is linear in the length,
    /// whatever the depth of the nesting.
    public static int unescape(byte[] bytes, int from, int to) {
        int first = indexOf(bytes, from, to, '%');
        if (first < 0) {
            return to;
        }
        int out = first;
        for (int in = first; in < to; in++) {
            bytes[out++] = bytes[in];
            while (out - first >= ESCAPE_BYTES
                    && bytes[out - 3] == '%'
                    && isHex(bytes[out - 2])
                    && isHex(bytes[out - 1])) {
                bytes[out - 3] =
                        (byte) (Character.digit(bytes[out - 2], 16) * 16 + Character.digit(bytes[out - 1], 16));
                out -= 2;
            }
        }
        return out;
    }

    public static int indexOf(byte[] bytes, int from, int to, int next) {
        for (int i = from; i < to; i++) {
            if (bytes[i] == next) {
                return i;
            }
        }
        return -1;
    }

    /// The number of bytes that [#escape] will write.
    static int escapedLength(byte[] bytes, int from, int to, boolean[] escaped) {
        int length = to - from;
        for (int i = from; i < to; i++) {
            if (escaped[bytes[i] & 0xff]) {
                length += 2;
            }
        }
        return length;
    }

    /// Writes the bytes to `out` at `at`, those in the table as `%xx` in lower case. Returns the end.
    static int escape(byte[] bytes, int from, int to, boolean[] escaped, byte[] out, int at) {
        int end = at;
        for (int i = from; i < to; i++) {
            int next = bytes[i] & 0xff;
            if (escaped[next]) {
                out[end++] = '%';
                out[end++] = HEX[next >> 4];
                out[end++] = HEX[next & 15];
            } else {
                out[end++] = (byte) next;
            }
        }
        return end;
    }

    private static boolean isHex(byte next) {
        return (next >= '0' && next <= '9') || (next >= 'a' && next <= 'f') || (next >= 'A' && next <= 'F');
    }
}
