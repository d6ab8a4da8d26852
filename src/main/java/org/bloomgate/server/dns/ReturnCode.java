package org.bloomgate.server.dns;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.Optional;
import org.bloomgate.base.net.IpLiteral;

/// The address that means "listed" in a zone: one of 127.0.0.0/8 (RFC 5782 2.1).
public final class ReturnCode {
    /// The code of operators' entries, and of categories without their own code, unless configured otherwise.
    public static final ReturnCode DEFAULT = of("127.0.0.2");

    private final byte[] bytes;

    private ReturnCode(byte[] bytes) {
        this.bytes = bytes;
    }

    /// 127.0.0.1 means "not listed" in a test of a list, and 127.255.255.0/24 "the list does not work".
    ///
    /// @throws IllegalArgumentException if the text is not such an address
    public static ReturnCode of(String text) {
        Optional<byte[]> bytes = IpLiteral.parse(text).map(InetAddress::getAddress);
        if (bytes.filter(ReturnCode::meansListed).isEmpty()) {
            throw new IllegalArgumentException("'" + text
                    + "' is not an address of 127.0.0.0/8 that means listed (for example 127.0.0.2, not 127.0.0.1,"
                    + " not 127.255.255.0/24)");
        }
        return new ReturnCode(bytes.get());
    }

    private static boolean meansListed(byte[] bytes) {
        boolean reserved = bytes.length == 4 && bytes[1] == -1 && bytes[2] == -1;
        boolean notListed = bytes.length == 4 && bytes[1] == 0 && bytes[2] == 0 && (bytes[3] & 0xfe) == 0;
        return bytes.length == 4 && bytes[0] == 127 && !reserved && !notListed;
    }

    /// Shared, not to be changed.
    byte[] bytes() {
        return bytes;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ReturnCode code && Arrays.equals(bytes, code.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return "127." + (bytes[1] & 0xff) + "." + (bytes[2] & 0xff) + "." + (bytes[3] & 0xff);
    }
}
