package org.bloomgate.core.url;

import java.nio.charset.StandardCharsets;

/// Text as the octets that the canonical form works on.
public final class Octets {
    /// Longest canonical form; Safe Browsing clients and browsers stop in the same region. A longer URL
    /// is read to its end, so that its host is found wherever it stands, and keyed by its host and as
    /// much of its path.
    public static final int MAX = 8192;

    private Octets() {}

    /// UTF-8.
    public static byte[] of(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    public static String text(byte[] octets, int from, int to) {
        return new String(octets, from, to - from, StandardCharsets.UTF_8);
    }
}
