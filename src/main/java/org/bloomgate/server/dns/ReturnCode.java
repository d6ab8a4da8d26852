package org.bloomgate.server.dns;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.Optional;
import org.bloomgate.base.net.IpLiteral;

/// The address that stands for "listed" in a zone: one of 127.0.0.0/8 (RFC 5782 2.1).
public final class ReturnCode {
    /// What operators list, and what has no code of its own, unless the configuration says otherwise.
    public static final ReturnCode DEFAULT = of("127.0.0.2");

    private final byte[] octets;

    private ReturnCode(byte[] octets) {
        this.octets = octets;
    }

    /// 127.0.0.1 means "not listed" to those who test a list, and 127.255.255.0/24 "the list does not work".
    ///
    /// @throws IllegalArgumentException when the text is no such address
    public static ReturnCode of(String text) {
        Optional<byte[]> octets = IpLiteral.parse(text).map(InetAddress::getAddress);
        if (octets.filter(ReturnCode::speaksOfAListing).isEmpty()) {
            throw new IllegalArgumentException("'" + text
                    + "' is not an address of 127.0.0.0/8 that means listed (as 127.0.0.2, not 127.0.0.1,"
                    + " not 127.255.255.0/24)");
        }
        return new ReturnCode(octets.get());
    }

    private static boolean speaksOfAListing(byte[] octets) {
        boolean reserved = octets.length == 4 && octets[1] == -1 && octets[2] == -1;
        boolean notListed = octets.length == 4 && octets[1] == 0 && octets[2] == 0 && (octets[3] & 0xfe) == 0;
        return octets.length == 4 && octets[0] == 127 && !reserved && !notListed;
    }

    /// Shared, not to be changed.
    byte[] octets() {
        return octets;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ReturnCode code && Arrays.equals(octets, code.octets);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(octets);
    }

    @Override
    public String toString() {
        return "127." + (octets[1] & 0xff) + "." + (octets[2] & 0xff) + "." + (octets[3] & 0xff);
    }
}
