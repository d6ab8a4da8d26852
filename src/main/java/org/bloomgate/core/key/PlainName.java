package org.bloomgate.core.key;

import org.bloomgate.core.url.Host;

/// Recognizes host names in bytes that are their own canonical form: at least two labels of lower-case letters,
/// digits, hyphens and underscores, the last of which begins with a letter, so that the name cannot be read as
/// an IP address.
final class PlainName {
    private static final boolean[] LABEL = new boolean[256];

    static {
        for (char c : "abcdefghijklmnopqrstuvwxyz0123456789-_".toCharArray()) {
            LABEL[c] = true;
        }
    }

    private PlainName() {}

    static boolean is(byte[] bytes, int from, int to) {
        int start = from;
        int labels = 0;
        for (int i = from; i < to; i++) {
            if (bytes[i] == '.') {
                if (i == start || i - start > FeedHost.MAX_LABEL_BYTES) {
                    return false;
                }
                labels++;
                start = i + 1;
            } else if (!isOfLabel(bytes[i])) {
                return false;
            }
        }
        return labels > 0
                && start < to
                && to - start <= FeedHost.MAX_LABEL_BYTES
                && to - from <= Host.MAX_NAME_BYTES
                && bytes[start] >= 'a'
                && bytes[start] <= 'z'
                && !isDefanged(bytes, from);
    }

    /// Whether a label of such a name may contain the byte.
    static boolean isOfLabel(byte b) {
        return LABEL[b & 0xff];
    }

    /// Whether the name begins like `hxxp`, which is read as `http`.
    private static boolean isDefanged(byte[] bytes, int from) {
        return bytes[from] == 'h' && bytes[from + 1] == 'x' && bytes[from + 2] == 'x';
    }
}
