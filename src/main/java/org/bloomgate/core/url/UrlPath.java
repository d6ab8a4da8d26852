package org.bloomgate.core.url;

/// Folds the path of a URL in place.
final class UrlPath {
    private UrlPath() {}

    /// Replaces `\` by `/`, resolves `.` and `..` as browsers do (each `..` removes one segment, even an empty
    /// one), then replaces `//` by `/`. The bytes begin with `/` or are empty. Returns the new end.
    static int fold(byte[] bytes, int from, int to) {
        boolean suspicious = false;
        for (int i = from; i < to; i++) {
            if (bytes[i] == '\\') {
                bytes[i] = '/';
            }
            suspicious |= i > from && bytes[i - 1] == '/' && (bytes[i] == '/' || bytes[i] == '.');
        }
        return suspicious ? collapse(bytes, from, resolve(bytes, from, to)) : to;
    }

    private static int resolve(byte[] bytes, int from, int to) {
        int out = from;
        int in = from;
        while (in < to) {
            int segment = in + 1;
            int end = Escapes.indexOf(bytes, segment, to, '/');
            end = end < 0 ? to : end;
            boolean parent = end - segment == 2 && bytes[segment] == '.' && bytes[segment + 1] == '.';
            boolean self = end - segment == 1 && bytes[segment] == '.';
            if (parent) {
                out = lastSlash(bytes, from, out);
            } else if (!self) {
                System.arraycopy(bytes, in, bytes, out, end - in);
                out += end - in;
            }
            if (end == to && (parent || self)) {
                bytes[out++] = '/';
            }
            in = end;
        }
        return out;
    }

    private static int collapse(byte[] bytes, int from, int to) {
        int out = from;
        for (int in = from; in < to; in++) {
            if (bytes[in] != '/' || out == from || bytes[out - 1] != '/') {
                bytes[out++] = bytes[in];
            }
        }
        return out;
    }

    /// The start of the last segment that was written.
    private static int lastSlash(byte[] bytes, int from, int to) {
        int slash = to - 1;
        while (slash > from && bytes[slash] != '/') {
            slash--;
        }
        return Math.max(slash, from);
    }
}
