package org.bloomgate.lists.format;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bloomgate.base.net.IpLiteral;
import org.bloomgate.core.key.AddressBlock;

/// Converts a value of a list of networks to networks. An address, with or without a port, and a network in
/// CIDR form or with a mask make one; a range of addresses makes the fewest networks that cover it exactly, at
/// most 62 for IPv4 and 254 for IPv6.
final class NetworkValue {
    private static final Pattern RANGE = Pattern.compile("([0-9A-Fa-f.:]+)\\s*-\\s*([0-9A-Fa-f.:]+)");
    private static final Pattern WITH_PORT = Pattern.compile("(?:([0-9.]+)|\\[([0-9A-Fa-f.:]+)])(?::\\d{1,5})?");
    private static final Pattern WITH_MASK = Pattern.compile("([0-9.]+)/(\\d+(?:\\.\\d+){3})");

    /// Enough for two addresses and blanks; a longer value is not converted and so rejected.
    private static final int MAX_CHARS = 512;

    private NetworkValue() {}

    /// The networks of the value; the value itself if it has none of these forms.
    static List<String> expand(String value) {
        if (value.length() > MAX_CHARS) {
            return List.of(value);
        }
        Matcher range = RANGE.matcher(value);
        if (range.matches()) {
            return blocks(range.group(1), range.group(2)).orElse(List.of(value));
        }
        Matcher masked = WITH_MASK.matcher(value);
        if (masked.matches()) {
            return List.of(bits(masked.group(2))
                    .map(bits -> masked.group(1) + '/' + bits)
                    .orElse(value));
        }
        Matcher port = WITH_PORT.matcher(value);
        return List.of(port.matches() ? Optional.ofNullable(port.group(1)).orElseGet(() -> port.group(2)) : value);
    }

    /// The bits of a mask such as `255.255.0.0`; empty if its ones are not all at the front.
    private static Optional<Integer> bits(String mask) {
        return IpLiteral.parse(mask)
                .map(address -> new BigInteger(address.getAddress()).intValue())
                .filter(ones -> ones == 0 || ones == -1 << Integer.numberOfTrailingZeros(ones))
                .map(Integer::bitCount);
    }

    private static Optional<List<String>> blocks(String from, String to) {
        Optional<byte[]> first = IpLiteral.parse(from).map(InetAddress::getAddress);
        Optional<byte[]> last = IpLiteral.parse(to).map(InetAddress::getAddress);
        if (first.isEmpty() || last.isEmpty() || first.get().length != last.get().length) {
            return Optional.empty();
        }
        BigInteger low = new BigInteger(1, first.get());
        BigInteger high = new BigInteger(1, last.get());
        return low.compareTo(high) > 0 ? Optional.empty() : Optional.of(blocks(low, high, first.get().length));
    }

    private static List<String> blocks(BigInteger low, BigInteger high, int bytes) {
        List<String> blocks = new ArrayList<>();
        BigInteger at = low;
        while (at.compareTo(high) <= 0) {
            BigInteger left = high.subtract(at).add(BigInteger.ONE);
            int aligned = at.signum() == 0 ? bytes * Byte.SIZE : at.getLowestSetBit();
            int hostBits = Math.min(aligned, left.bitLength() - 1);
            blocks.add(AddressBlock.of(address(at, bytes), bytes * Byte.SIZE - hostBits)
                    .toString());
            at = at.add(BigInteger.ONE.shiftLeft(hostBits));
        }
        return blocks;
    }

    private static InetAddress address(BigInteger number, int bytes) {
        byte[] digits = number.toByteArray();
        byte[] address = new byte[bytes];
        int skipped = Math.max(0, digits.length - bytes);
        int length = digits.length - skipped;
        System.arraycopy(digits, skipped, address, bytes - length, length);
        try {
            return InetAddress.getByAddress(address);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }
}
