package org.bloomgate.smtp;

import java.net.InetAddress;
import java.util.Objects;

/// An address or a network in CIDR notation.
///
/// @param prefixBits leading bits that a member shares with the address
record Network(InetAddress address, int prefixBits) {

    /// @param key of the configuration, for the message
    /// @throws IllegalArgumentException when the text is neither; names are not resolved
    static Network parse(String key, String text) {
        int slash = text.indexOf('/');
        try {
            InetAddress address = InetAddress.ofLiteral(slash < 0 ? text : text.substring(0, slash));
            int bits = address.getAddress().length * 8;
            int prefix = slash < 0 ? bits : Integer.parseInt(text.substring(slash + 1));
            return new Network(address, Objects.checkIndex(prefix, bits + 1));
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new IllegalArgumentException(
                    key + ": '" + text + "' is not an address or network (as 192.0.2.0/24)", e);
        }
    }

    boolean contains(InetAddress other) {
        byte[] mine = address.getAddress();
        byte[] its = other.getAddress();
        if (mine.length != its.length) {
            return false;
        }
        for (int bit = 0; bit < prefixBits; bit++) {
            int mask = 0x80 >> (bit % 8);
            if (((mine[bit / 8] ^ its[bit / 8]) & mask) != 0) {
                return false;
            }
        }
        return true;
    }
}
