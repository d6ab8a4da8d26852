package org.bloomgate.feed;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// An address range such as `192.0.2.0/24`, which becomes one value for each of its addresses. At most 256 of them: a
/// wider one would fill the filter with addresses that never were in a mail, and is refused.
final class AddressRange {
    private static final Pattern RANGE =
            Pattern.compile("(\\d+(?:\\.\\d+){3}|\\[?[0-9a-fA-F:.]*:[0-9a-fA-F:.]*]?)/(\\d{1,3})");
    private static final int MAX_HOST_BITS = 8;

    private AddressRange() {}

    static boolean isOne(String entry) {
        return RANGE.matcher(entry).matches();
    }

    static ParsedLine expand(String entry) {
        Matcher matcher = RANGE.matcher(entry);
        if (!matcher.matches()) {
            return new ParsedLine.Unreadable("not an address range");
        }
        String literal = matcher.group(1).replace("[", "").replace("]", "");
        try {
            byte[] octets = InetAddress.ofLiteral(literal).getAddress();
            int hostBits = octets.length * 8 - Integer.parseInt(matcher.group(2));
            if (hostBits < 0) {
                return new ParsedLine.Unreadable("a prefix longer than the address");
            }
            return hostBits > MAX_HOST_BITS
                    ? ParsedLine.unsupported("an address range of more than 256 addresses")
                    : new ParsedLine.Values(addresses(octets, hostBits), 0);
        } catch (IllegalArgumentException notAnAddress) {
            return new ParsedLine.Unreadable("not an address before the /");
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
            String text = InetAddress.getByAddress(octets).getHostAddress();
            return text.indexOf(':') >= 0 ? '[' + text + ']' : text;
        } catch (java.net.UnknownHostException wrongLength) {
            throw new IllegalStateException(wrongLength);
        }
    }
}
