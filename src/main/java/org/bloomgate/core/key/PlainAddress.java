package org.bloomgate.core.key;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.bloomgate.core.url.Host;

/// A mail address in octets that is its own canonical form: lower-case letters, digits, dots, hyphens and underscores
/// before the sign, a [PlainName] behind it that delivers each spelling to a mailbox of its own.
final class PlainAddress {
    private static final List<byte[]> FOLDED = MailboxProvider.IGNORES_DOTS.stream()
            .map(domain -> domain.getBytes(StandardCharsets.US_ASCII))
            .toList();

    private PlainAddress() {}

    static boolean is(byte[] octets, int from, int to) {
        int sign = from;
        while (sign < to && (octets[sign] == '.' || PlainName.isOfLabel(octets[sign]))) {
            sign++;
        }
        return sign > from
                && sign < to
                && octets[sign] == '@'
                && sign - from <= MailAddress.MAX_CHARS - Host.MAX_NAME_OCTETS - 1
                && PlainName.is(octets, sign + 1, to)
                && !isFolded(octets, sign + 1, to);
    }

    private static boolean isFolded(byte[] octets, int from, int to) {
        for (byte[] domain : FOLDED) {
            if (Arrays.equals(octets, from, to, domain, 0, domain.length)) {
                return true;
            }
        }
        return false;
    }
}
