package org.bloomgate.core.key;

import java.util.Arrays;

/// Recognizes URLs in bytes whose key is the text after their scheme (`http`, `https` or none): a [PlainName],
/// a path below its root, and at most one query. Paths and queries have only letters, digits and marks that are
/// never folded or escaped.
final class PlainUrl {
    /// Hides nothing: a longer one is read as text.
    static final int MAX_BYTES = 2048;

    private static final byte[] HTTP = {'h', 't', 't', 'p'};
    private static final byte[] AFTER_SCHEME = {':', '/', '/'};
    private static final boolean[] PLAIN = new boolean[256];

    static {
        for (char c : "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~=+,/".toCharArray()) {
            PLAIN[c] = true;
        }
    }

    private PlainUrl() {}

    /// The start of the key; -1 if the bytes are not such a URL.
    static int keyStart(byte[] bytes, int from, int to) {
        int host = afterScheme(bytes, from, to);
        int slash = host;
        while (slash < to && bytes[slash] != '/') {
            slash++;
        }
        boolean plain = to - from <= MAX_BYTES
                && to - slash > 1
                && PlainName.is(bytes, host, slash)
                && isPlain(bytes, slash + 1, to);
        return plain ? host : -1;
    }

    private static int afterScheme(byte[] bytes, int from, int to) {
        int at = from;
        while (at - from < HTTP.length && at < to && bytes[at] == HTTP[at - from]) {
            at++;
        }
        if (at - from < HTTP.length) {
            return from;
        }
        at += at < to && bytes[at] == 's' ? 1 : 0;
        int host = at + AFTER_SCHEME.length;
        return host < to && Arrays.equals(bytes, at, host, AFTER_SCHEME, 0, AFTER_SCHEME.length) ? host : from;
    }

    /// Whether path and query after the first slash are canonical. Not with an empty segment or one that begins
    /// with a dot, which are folded, with `&a`, because web pages write `&amp;`, or with an empty query, which
    /// is removed.
    private static boolean isPlain(byte[] bytes, int from, int to) {
        boolean query = false;
        for (int i = from; i < to; i++) {
            byte b = bytes[i];
            if (b == '?' && !query && i + 1 < to && i > from) {
                query = true;
            } else if (b == '&' && query) {
                if (i + 1 < to && bytes[i + 1] == 'a') {
                    return false;
                }
            } else if (!PLAIN[b & 0xff]) {
                return false;
            } else if (!query && bytes[i - 1] == '/' && (b == '/' || b == '.')) {
                return false;
            }
        }
        return true;
    }
}
