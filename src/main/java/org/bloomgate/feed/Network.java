package org.bloomgate.feed;

import java.net.InetAddress;
import java.util.Optional;

/// An address or a network in CIDR notation.
///
/// @param text as it was written
record Network(String text, InetAddress prefix, int prefixBits) {

    /// Empty for anything else.
    static Optional<Network> parse(String text) {
        int slash = text.indexOf('/');
        Optional<InetAddress> address = address(slash < 0 ? text : text.substring(0, slash));
        if (address.isEmpty()) {
            return Optional.empty();
        }
        int all = address.get().getAddress().length * Byte.SIZE;
        String bits = slash < 0 ? Integer.toString(all) : text.substring(slash + 1);
        boolean valid = bits.matches("[0-9]{1,3}") && Integer.parseInt(bits) <= all;
        return valid ? Optional.of(new Network(text, address.get(), Integer.parseInt(bits))) : Optional.empty();
    }

    /// The address of an IP literal, a canonical host for one.
    static Optional<InetAddress> address(String host) {
        String bare = host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
        boolean literal = !bare.isEmpty()
                && (bare.indexOf(':') >= 0 || bare.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9')));
        try {
            return literal ? Optional.of(InetAddress.ofLiteral(bare)) : Optional.empty();
        } catch (IllegalArgumentException none) {
            return Optional.empty();
        }
    }

    boolean contains(InetAddress address) {
        byte[] octets = address.getAddress();
        byte[] own = prefix.getAddress();
        if (octets.length != own.length) {
            return false;
        }
        for (int bit = 0; bit < prefixBits; bit += Byte.SIZE) {
            int mask = 0xff << Math.max(0, bit + Byte.SIZE - prefixBits);
            if (((octets[bit / Byte.SIZE] ^ own[bit / Byte.SIZE]) & mask & 0xff) != 0) {
                return false;
            }
        }
        return true;
    }
}
