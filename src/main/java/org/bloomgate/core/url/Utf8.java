package org.bloomgate.core.url;

import java.nio.charset.StandardCharsets;

/// Text as the bytes that the canonical form works on.
public final class Utf8 {
    /// The longest canonical form; Safe Browsing clients and browsers stop at a similar length. A longer URL is
    /// read to its end, so that its host is found, and has its host and the beginning of its path as key.
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
