package org.bloomgate.core.url;

/// Percent-escapes: undone to the fix-point, and written again for the few octets that need one.
public final class Escapes {
    /// What is escaped in a query: controls, blank, DEL and above, `#` and `%`.
    static final boolean[] QUERY = table("");
    /// A path also keeps an unescaped `?` from looking like the start of a query.
    static final boolean[] PATH = table("?");
    /// A host also hides what would end or split it.
    static final boolean[] HOST = table("/?@\\:");

    private static final int ESCAPE_OCTETS = "%41".length();

    private static final byte[] HEX = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};

    private Escapes() {}

    private static boolean[] table(String more) {
        boolean[] escaped = new boolean[256];
        for (int octet = 0; octet < escaped.length; octet++) {
            escaped[octet] = octet <= ' ' || octet >= 0x7f || octet == '#' || octet == '%' || more.indexOf(octet) >= 0;
        }
        return escaped;
    }

    /// Replaces `%XX` by its octet in place until none is left; a `%` without two hex digits stays. Returns the new
    /// end.
    ///
    /// One pass: an octet written may complete an escape that ends with it (`%25` + `41`, `%4` + `%31`), which is
    /// undone at once. Escapes cannot overlap, so the order does not matter and the work is linear in the length,
    /// whatever the depth of the nesting.
    public static int unescape(byte[] octets, int from, int to) {
        int first = indexOf(octets, from, to, '%');
        if (first < 0) {
            return to;
        }
        int out = first;
        for (int in = first; in < to; in++) {
            octets[out++] = octets[in];
            while (out - first >= ESCAPE_OCTETS
                    && octets[out - 3] == '%'
                    && isHex(octets[out - 2])
                    && isHex(octets[out - 1])) {
                octets[out - 3] =
                        (byte) (Character.digit(octets[out - 2], 16) * 16 + Character.digit(octets[out - 1], 16));
                out -= 2;
            }
        }
        return out;
    }

    public static int indexOf(byte[] octets, int from, int to, int octet) {
        for (int i = from; i < to; i++) {
            if (octets[i] == octet) {
                return i;
            }
        }
        return -1;
    }

    /// Octets that [#escape] will write.
    static int escapedLength(byte[] octets, int from, int to, boolean[] escaped) {
        int length = to - from;
        for (int i = from; i < to; i++) {
            if (escaped[octets[i] & 0xff]) {
                length += 2;
            }
        }
        return length;
    }

    /// Writes the octets to `out` at `at`, the ones of the table as `%xx` in lower case. Returns the end.
    static int escape(byte[] octets, int from, int to, boolean[] escaped, byte[] out, int at) {
        int end = at;
        for (int i = from; i < to; i++) {
            int octet = octets[i] & 0xff;
            if (escaped[octet]) {
                out[end++] = '%';
                out[end++] = HEX[octet >> 4];
                out[end++] = HEX[octet & 15];
            } else {
                out[end++] = (byte) octet;
            }
        }
        return end;
    }

    private static boolean isHex(byte octet) {
        return (octet >= '0' && octet <= '9') || (octet >= 'a' && octet <= 'f') || (octet >= 'A' && octet <= 'F');
    }
}
