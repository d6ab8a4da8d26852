package org.bloomgate.core.key;

import org.bloomgate.core.url.Host;

/// A host name in octets that is its own canonical form: labels of lower-case letters, digits, hyphens and
/// underscores, two at least, the last of which begins with a letter, so that no reading makes an address
/// of it.
final class PlainName {
    private static final boolean[] LABEL = new boolean[256];

    static {
        for (char c : "abcdefghijklmnopqrstuvwxyz0123456789-_".toCharArray()) {
            LABEL[c] = true;
        }
    }

    private PlainName() {}

    static boolean is(byte[] octets, int from, int to) {
        int start = from;
        int labels = 0;
        for (int i = from; i < to; i++) {
            if (octets[i] == '.') {
                if (i == start || i - start > FeedHost.MAX_LABEL_OCTETS) {
                    return false;
                }
                labels++;
                start = i + 1;
            } else if (!isOfLabel(octets[i])) {
                return false;
            }
        }
        return labels > 0
                && start < to
                && to - start <= FeedHost.MAX_LABEL_OCTETS
                && to - from <= Host.MAX_NAME_OCTETS
                && octets[start] >= 'a'
                && octets[start] <= 'z'
                && !isDefanged(octets, from);
    }

    /// Whether a label of such a name may hold the octet.
    static boolean isOfLabel(byte octet) {
        return LABEL[octet & 0xff];
    }

    /// `hxxp` at its beginning is read as `http`.
    private static boolean isDefanged(byte[] octets, int from) {
        return octets[from] == 'h' && octets[from + 1] == 'x' && octets[from + 2] == 'x';
    }
}
