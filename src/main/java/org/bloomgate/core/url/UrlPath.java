package org.bloomgate.core.url;

/// The path of a URL, folded in place.
final class UrlPath {
    private UrlPath() {}

    /// Makes `/` of `\`, resolves `.` and `..` as browsers do, each `..` taking one segment back and be it an empty
    /// one, then makes `/` of `//`. The octets begin with `/` or are none. Returns the new end.
    static int fold(byte[] octets, int from, int to) {
        boolean suspicious = false;
        for (int i = from; i < to; i++) {
            if (octets[i] == '\\') {
                octets[i] = '/';
            }
            suspicious |= i > from && octets[i - 1] == '/' && (octets[i] == '/' || octets[i] == '.');
        }
        return suspicious ? collapse(octets, from, resolve(octets, from, to)) : to;
    }

    private static int resolve(byte[] octets, int from, int to) {
        int out = from;
        int in = from;
        while (in < to) {
            int segment = in + 1;
            int end = Escapes.indexOf(octets, segment, to, '/');
            end = end < 0 ? to : end;
            boolean parent = end - segment == 2 && octets[segment] == '.' && octets[segment + 1] == '.';
            boolean self = end - segment == 1 && octets[segment] == '.';
            if (parent) {
                out = lastSlash(octets, from, out);
            } else if (!self) {
                System.arraycopy(octets, in, octets, out, end - in);
                out += end - in;
            }
            if (end == to && (parent || self)) {
                octets[out++] = '/';
            }
            in = end;
        }
        return out;
    }

    private static int collapse(byte[] octets, int from, int to) {
        int out = from;
        for (int in = from; in < to; in++) {
            if (octets[in] != '/' || out == from || octets[out - 1] != '/') {
                octets[out++] = octets[in];
            }
        }
        return out;
    }

    /// The start of the last segment written.
    private static int lastSlash(byte[] octets, int from, int to) {
        int slash = to - 1;
        while (slash > from && octets[slash] != '/') {
            slash--;
        }
        return Math.max(slash, from);
    }
}
