package org.bloomgate.core.url;

import java.nio.charset.StandardCharsets;

/// Converts text to the bytes on which canonicalization works, and back.
public final class Utf8 {
    /// The longest canonical form; Safe Browsing clients and browsers have similar limits. A longer URL is read
    /// to its end, so that its host is found, and its key consists of its host and the beginning of its path.
    public static final int MAX = 8192;

    private Utf8() {}

    /// The text in UTF-8.
    public static byte[] of(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    public static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }
}
