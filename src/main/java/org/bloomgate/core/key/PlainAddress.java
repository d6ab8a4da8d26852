package org.bloomgate.core.key;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.bloomgate.core.url.Host;

/// Recognizes mail addresses in bytes that are their own canonical form: lower-case letters, digits, dots,
/// hyphens and underscores before the `@`, and after it a [PlainName] of a provider that does not ignore dots.
final class PlainAddress {
    private static final List<byte[]> FOLDED = MailboxProvider.IGNORES_DOTS.stream()
            .map(domain -> domain.getBytes(StandardCharsets.US_ASCII))
            .toList();

    private PlainAddress() {}

    static boolean is(byte[] bytes, int from, int to) {
        int sign = from;
        while (sign < to && (bytes[sign] == '.' || PlainName.isOfLabel(bytes[sign]))) {
            sign++;
        }
        return sign > from
                && sign < to
                && bytes[sign] == '@'
                && sign - from <= MailAddress.MAX_CHARS - Host.MAX_NAME_BYTES - 1
                && PlainName.is(bytes, sign + 1, to)
                && !isFolded(bytes, sign + 1, to);
    }

    private static boolean isFolded(byte[] bytes, int from, int to) {
        for (byte[] domain : FOLDED) {
            if (Arrays.equals(bytes, from, to, domain, 0, domain.length)) {
                return true;
            }
        }
        return false;
    }
}
