package org.bloomgate.base.net;

import java.net.InetAddress;
import java.net.UnknownHostException;

/// An address or a network in CIDR notation.
///
/// @param text as it was written
/// @param prefixBits leading bits that a member shares with the address
public record Network(String text, InetAddress address, int prefixBits) {
    static final int CLIENT_BITS_IPV4 = 24;
    static final int CLIENT_BITS_IPV6 = 56;

    /// @throws IllegalArgumentException when the text is neither; names are not resolved
    public static Network of(String text) {
        String[] parts = text.split("/", 2);
        InetAddress address = IpLiteral.parse(parts[0]).orElseThrow(() -> createException(text));
        int bits = address.getAddress().length * Byte.SIZE;
        if (parts.length == 1) {
            return new Network(text, address, bits);
        }
        if (!parts[1].matches("\\d{1,3}") || Integer.parseInt(parts[1]) > bits) {
            throw createException(text);
        }
        return new Network(text, address, Integer.parseInt(parts[1]));
    }

    private static IllegalArgumentException createException(String text) {
        return new IllegalArgumentException("'" + text + "' is not an address or network (for example 192.0.2.0/24)");
    }

    /// The network of a client, a /24 or a /56 of IPv6: the size that one subscriber or one server room has.
    public static Network ofClient(InetAddress client) {
        int bits = client.getAddress().length == Integer.BYTES ? CLIENT_BITS_IPV4 : CLIENT_BITS_IPV6;
        return new Network(IpLiteral.text(client) + "/" + bits, client, bits);
    }

    /// The same as text; the given text if it is not an address.
    public static String ofClient(String text) {
        return IpLiteral.parse(text)
                .map(client -> ofClient(client).toExact().text())
                .orElse(text);
    }

    /// Whether the address has no bit set beyond the prefix.
    public boolean isExact() {
        return toExact().address().equals(address);
    }

    /// The same network, with no bit set beyond its prefix.
    public Network toExact() {
        byte[] bytes = address.getAddress();
        for (int bit = prefixBits; bit < bytes.length * Byte.SIZE; bit++) {
            bytes[bit / Byte.SIZE] &= (byte) ~(0x80 >> bit % Byte.SIZE);
        }
        try {
            InetAddress first = InetAddress.getByAddress(bytes);
            return new Network(IpLiteral.text(first) + "/" + prefixBits, first, prefixBits);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("as many bytes as an address has", e);
        }
    }

    public boolean contains(InetAddress other) {
        byte[] own = address.getAddress();
        byte[] others = other.getAddress();
        if (own.length != others.length) {
            return false;
        }
        for (int bit = 0; bit < prefixBits; bit += Byte.SIZE) {
            int mask = 0xff << Math.max(0, bit + Byte.SIZE - prefixBits);
            if (((own[bit / Byte.SIZE] ^ others[bit / Byte.SIZE]) & mask & 0xff) != 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        return text;
    }
}
