package org.bloomgate.key;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Text as the octets that the canonical form works on.
final class Octets {
    /// What is looked at of one identifier; Safe Browsing clients and browsers stop in the same region.
    static final int MAX = 8192;

    private Octets() {}

    /// UTF-8, cut to [#MAX] octets.
    static byte[] of(String text) {
        String head = text.length() > MAX ? text.substring(0, MAX) : text;
        byte[] octets = head.getBytes(StandardCharsets.UTF_8);
        return octets.length > MAX ? Arrays.copyOf(octets, MAX) : octets;
    }

    static String text(byte[] octets, int from, int to) {
        return new String(octets, from, to - from, StandardCharsets.UTF_8);
    }
}
