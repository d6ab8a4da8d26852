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

    public static boolean isPublic(InetAddress address) {
        if (address.isLoopbackAddress()
                || address.isAnyLocalAddress()
                || address.isLinkLocalAddress()
                || address.isSiteLocalAddress()
                || address.isMulticastAddress()) {
            return false;
        }
        byte[] bytes = address.getAddress();
        if (bytes.length > Integer.BYTES) {
            return isPublicIpv6(bytes);
        }
        int first = bytes[0] & 0xff;
        int second = bytes[1] & 0xff;
        return !isPrivateIpv4(first, second, bytes[2] & 0xff);
    }

    /// Not unique local (RFC 4193), and not in a range whose addresses contain an IPv4 address, which may be a
    /// private one: NAT64 (RFC 6052), 6to4 (RFC 3056), Teredo (RFC 4380), IPv4-compatible.
    private static boolean isPublicIpv6(byte[] bytes) {
        int group = ((bytes[0] & 0xff) << 8) | (bytes[1] & 0xff);
        int next = ((bytes[2] & 0xff) << 8) | (bytes[3] & 0xff);
        return (group & 0xfe00) != 0xfc00
                && group != 0
                && group != 0x64
                && group != 0x2002
                && !(group == 0x2001 && next == 0);
    }

    /// "This network" and shared address space (RFC 6598), protocol assignments (RFC 6890), benchmarking (RFC 2544),
    /// and class E with broadcast.
    private static boolean isPrivateIpv4(int first, int second, int third) {
        return first == 0
                || (first == 100 && (second & 0xc0) == 64)
                || (first == 192 && second == 0 && third == 0)
                || (first == 198 && (second & 0xfe) == 18)
                || first >= 240;
    }
}
