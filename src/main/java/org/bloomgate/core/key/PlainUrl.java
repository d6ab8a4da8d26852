package org.bloomgate.core.key;

import java.util.Arrays;

/// A URL in octets whose key is what stands behind its scheme, `http` or `https` or none: a [PlainName], a path
/// below its root, and at most one query. Paths and queries have letters, digits and marks that nothing folds or
/// escapes.
final class PlainUrl {
    /// Hides nothing: a longer one is read as text.
    static final int MAX_OCTETS = 2048;

    private static final byte[] HTTP = {'h', 't', 't', 'p'};
    private static final byte[] BEHIND_SCHEME = {':', '/', '/'};
    private static final boolean[] PLAIN = new boolean[256];

    static {
        for (char c : "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~=+,/".toCharArray()) {
            PLAIN[c] = true;
        }
    }

    private PlainUrl() {}

    /// Where the key begins; -1 when the octets are no such URL.
    static int keyStart(byte[] octets, int from, int to) {
        int host = behindScheme(octets, from, to);
        int slash = host;
        while (slash < to && octets[slash] != '/') {
            slash++;
        }
        boolean plain = to - from <= MAX_OCTETS
                && to - slash > 1
                && PlainName.is(octets, host, slash)
                && isPlain(octets, slash + 1, to);
        return plain ? host : -1;
    }

    private static int behindScheme(byte[] octets, int from, int to) {
        int at = from;
        while (at - from < HTTP.length && at < to && octets[at] == HTTP[at - from]) {
            at++;
        }
        if (at - from < HTTP.length) {
            return from;
        }
        at += at < to && octets[at] == 's' ? 1 : 0;
        int host = at + BEHIND_SCHEME.length;
        return host < to && Arrays.equals(octets, at, host, BEHIND_SCHEME, 0, BEHIND_SCHEME.length) ? host : from;
    }

    /// Behind the slash after the host. An empty segment, and one that begins with a dot, is folded; so may be `&`,
    /// which web pages write as `&amp;`; an empty query is cut.
    private static boolean isPlain(byte[] octets, int from, int to) {
        boolean query = false;
        for (int i = from; i < to; i++) {
            byte octet = octets[i];
            if (octet == '?' && !query && i + 1 < to && i > from) {
                query = true;
            } else if (octet == '&' && query) {
                if (i + 1 < to && octets[i + 1] == 'a') {
                    return false;
                }
            } else if (!PLAIN[octet & 0xff]) {
                return false;
            } else if (!query && octets[i - 1] == '/' && (octet == '/' || octet == '.')) {
                return false;
            }
        }
        return true;
    }
}
