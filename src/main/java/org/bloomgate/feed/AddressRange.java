package org.bloomgate.feed;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// An address range such as `192.0.2.0/24`, which lists each of its addresses. At most 256 of them: a wider one would
/// fill the filter with addresses that never were in a mail, stays as it is, and is refused as no host.
final class AddressRange {
    private static final Pattern RANGE =
            Pattern.compile("(\\d+(?:\\.\\d+){3}|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*)/(\\d{1,3})");
    private static final int MAX_HOST_BITS = 8;

    /// An IPv6 address with an IPv4 address at its end, and the prefix. The pattern takes quadratic time.
    private static final int MAX_CHARS = 45 + 4;

    private AddressRange() {}

    /// The addresses of the range, or the value itself when it is none, or too wide.
    static List<String> expanded(String value) {
        if (value.indexOf('/') < 0 || value.length() > MAX_CHARS) {
            return List.of(value);
        }
        Matcher range = RANGE.matcher(value);
        return range.matches() ? expanded(value, range.group(1), Integer.parseInt(range.group(2))) : List.of(value);
    }

    private static List<String> expanded(String value, String literal, int prefix) {
        try {
            byte[] octets = InetAddress.ofLiteral(literal).getAddress();
            int hostBits = octets.length * Byte.SIZE - prefix;
            return hostBits < 0 || hostBits > MAX_HOST_BITS ? List.of(value) : addresses(octets, hostBits);
        } catch (IllegalArgumentException notAnAddress) {
            return List.of(value);
        }
    }

    private static List<String> addresses(byte[] octets, int hostBits) {
        int last = octets.length - 1;
        int first = octets[last] & 0xff & -(1 << hostBits);
        List<String> addresses = new ArrayList<>(1 << hostBits);
        for (int i = 0; i < 1 << hostBits; i++) {
            octets[last] = (byte) (first + i);
            addresses.add(text(octets));
        }
        return addresses;
    }

    private static String text(byte[] octets) {
        try {
            return InetAddress.getByAddress(octets).getHostAddress();
        } catch (UnknownHostException wrongLength) {
            throw new IllegalStateException(wrongLength);
        }
    }
}
