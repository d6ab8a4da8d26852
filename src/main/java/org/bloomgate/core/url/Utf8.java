package org.bloomgate.core.url;

import java.nio.charset.StandardCharsets;

/// Text as the bytes that the canonical form works on.
public final class Utf8 {
    /// Longest canonical form; Safe Browsing clients and browsers stop in the same region. A longer URL
    /// is read to its end, so that its host is found wherever it stands, and keyed by its host and as
    /// much of its path.
    public static final int MAX = 8192;

    private Utf8() {}

    /// UTF-8.
    public static byte[] of(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    public static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }
}
