package org.bloomgate.base.net;

import java.net.InetAddress;
import java.net.UnknownHostException;

/// Distinguishes hosts of the public internet from this machine and its networks, so that an address that a
/// stranger chose, or a redirect, cannot be used to read an internal service.
///
/// The name is resolved here and once more by the HTTP client; the runtime's address cache (30 s) gives both the
/// same answer.
public final class PublicHosts {
    private PublicHosts() {}

    /// @throws UnknownHostException when the name does not resolve
    public static boolean isPublic(String host) throws UnknownHostException {
        for (InetAddress address : InetAddress.getAllByName(host)) {
            if (!isPublic(address)) {
                return false;
            }
        }
        return true;
    }

    static boolean isPublic(InetAddress address) {
        if (address.isLoopbackAddress()
                || address.isAnyLocalAddress()
                || address.isLinkLocalAddress()
                || address.isSiteLocalAddress()
                || address.isMulticastAddress()) {
            return false;
        }
        byte[] bytes = address.getAddress();
        int first = bytes[0] & 0xff;
        int second = bytes[1] & 0xff;
        return bytes.length == 4
                ? !isPrivateIpv4(first, second)
                // Unique local, RFC 4193, and NAT64, RFC 6052, behind which any IPv4 address may stand.
                : (first & 0xfe) != 0xfc && !(first == 0 && second == 0x64);
    }

    /// "This network" and shared address space (RFC 6598), benchmarking (RFC 2544), and class E with broadcast.
    private static boolean isPrivateIpv4(int first, int second) {
        return first == 0
                || (first == 100 && (second & 0xc0) == 64)
                || (first == 198 && (second & 0xfe) == 18)
                || first >= 240;
    }
}
