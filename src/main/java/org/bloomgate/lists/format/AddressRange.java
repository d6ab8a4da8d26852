package org.bloomgate.lists.format;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.bloomgate.base.net.IpLiteral;
import org.bloomgate.base.net.Network;

/// An address range such as `192.0.2.0/24` in a list of hosts, which lists each of its addresses. A range of
/// more than 256 addresses would fill the filter; it is not expanded and so rejected, as it is not a host.
final class AddressRange {
    private static final int MAX_HOST_BITS = 8;

    /// An IPv6 address with an IPv4 address at its end, and the prefix.
    private static final int MAX_CHARS = 45 + 4;

    private AddressRange() {}

    static boolean isRange(String value) {
        int slash = value.indexOf('/');
        return slash >= 0
                && value.length() <= MAX_CHARS
                && IpLiteral.parse(value.substring(0, slash)).isPresent()
                && value.length() > slash + 1
                && value.chars().skip(slash + 1L).allMatch(c -> c >= '0' && c <= '9');
    }

    /// The addresses of the range; the value itself if it is not a range, or too wide.
    static List<String> expand(String value) {
        int slash = value.indexOf('/');
        if (slash < 0
                || value.length() > MAX_CHARS
                || IpLiteral.parse(value.substring(0, slash)).isEmpty()) {
            return List.of(value);
        }
        try {
            Network range = Network.of(value);
            byte[] bytes = range.address().getAddress();
            int hostBits = bytes.length * Byte.SIZE - range.prefixBits();
            return hostBits > MAX_HOST_BITS ? List.of(value) : listAddresses(bytes, hostBits);
        } catch (IllegalArgumentException e) {
            return List.of(value);
        }
    }

    private static List<String> listAddresses(byte[] bytes, int hostBits) {
        int last = bytes.length - 1;
        int first = bytes[last] & 0xff & -(1 << hostBits);
        List<String> addresses = new ArrayList<>(1 << hostBits);
        for (int i = 0; i < 1 << hostBits; i++) {
            bytes[last] = (byte) (first + i);
            addresses.add(format(bytes));
        }
        return addresses;
    }

    private static String format(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes).getHostAddress();
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }
}
