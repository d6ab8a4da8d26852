package org.bloomgate.server.dns;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Optional;
import org.bloomgate.core.cidr.AddressRanges;
import org.bloomgate.core.key.AddressBlock;
import org.bloomgate.core.key.Identifier;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Place;
import org.bloomgate.lookup.tier.Layer;
import org.bloomgate.lookup.tier.LayerLease;

/// The address before a zone of addresses, its bytes or its hexadecimal digits in reverse order (RFC 5782 2.1,
/// 2.4), or the first part of one: a resolver that minimises names queries the network around an address first.
/// Up to four labels may be either. Reused for the next query; allocates nothing for IPv4. Not thread-safe.
final class QueryAddress {
    private static final Identifier ANY = new Identifier(KeyKind.NETWORK, "", Place.ENVELOPE, "dns");
    private static final AddressBlock TEST_POINT = AddressBlock.parse("127.0.0.2");
    private static final byte[] TEST_POINT_IPV6 = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, 127, 0, 0, 2};
    private static final byte[] TEST_POINT_IPV4 = {127, 0, 0, 2};

    /// Prefixes of IPv6 addresses that contain an IPv4 address (6to4, NAT64); those of mapped addresses are
    /// prefixes of the test point.
    private static final byte[][] TRANSLATED = {{0x20, 2}, {0, 0x64, -1, (byte) 0x9b}};

    private static final int IPV4_BITS = 32;
    private static final int IPV6_BITS = 128;
    private static final int NONE = -1;

    private final byte[] ipv4 = new byte[6];
    private final byte[] ipv6 = new byte[16];
    private int ipv4Bits;
    private int ipv6Bits;

    /// @param zoneLabel number of the label that the zone's name begins with
    void read(Question question, int zoneLabel) {
        ipv4Bits = zoneLabel > 0 && zoneLabel <= 4 ? readIpv4(question, zoneLabel) : NONE;
        ipv6Bits = zoneLabel > 0 && zoneLabel <= 32 ? readIpv6(question, zoneLabel) : NONE;
    }

    private int readIpv4(Question question, int zoneLabel) {
        Arrays.fill(ipv4, (byte) 0);
        for (int label = 0; label < zoneLabel; label++) {
            int value = decimal(question, label);
            if (value < 0) {
                return NONE;
            }
            ipv4[zoneLabel - label] = (byte) value;
        }
        ipv4[0] = 4;
        ipv4[5] = (byte) (zoneLabel * Byte.SIZE);
        return zoneLabel * Byte.SIZE;
    }

    /// The value of a label from 0 to 255 without leading zeros, or -1.
    private static int decimal(Question question, int label) {
        int from = question.label(label) + 1;
        int digits = question.label(label + 1) - from;
        if (digits < 1 || digits > 3 || (digits > 1 && question.lower()[from] == '0')) {
            return -1;
        }
        int value = 0;
        for (int i = from; i < from + digits; i++) {
            int digit = Character.digit(question.lower()[i], 10);
            if (digit < 0) {
                return -1;
            }
            value = value * 10 + digit;
        }
        return value > 255 ? -1 : value;
    }

    private int readIpv6(Question question, int zoneLabel) {
        Arrays.fill(ipv6, (byte) 0);
        for (int label = 0; label < zoneLabel; label++) {
            int at = question.label(label) + 1;
            int digit = Character.digit(question.lower()[at], 16);
            if (question.label(label + 1) - at != 1 || digit < 0) {
                return NONE;
            }
            int place = zoneLabel - 1 - label;
            ipv6[place / 2] |= (byte) (place % 2 == 0 ? digit << 4 : digit);
        }
        return zoneLabel * 4;
    }

    private boolean isIpv4() {
        return ipv4Bits == IPV4_BITS;
    }

    private boolean isIpv6() {
        return ipv6Bits == IPV6_BITS;
    }

    /// Adds the key of the address, if the query has all of it.
    void keys(KeyBatch batch) {
        if (isIpv4()) {
            batch.begin(ANY);
            batch.append(ipv4, 0, ipv4.length).endKey(KeyKind.NETWORK, true);
        } else if (isIpv6()) {
            batch.begin(ANY);
            ipv6().append(batch);
        }
    }

    /// The address as text; empty if the query has only a part of an address.
    Optional<String> text() {
        if (isIpv4()) {
            return Optional.of(AddressBlock.ofBytes(ipv4, 0, ipv4.length).address());
        }
        return isIpv6() ? Optional.of(ipv6().address()) : Optional.empty();
    }

    /// The IPv6 address, or the IPv4 address that it contains.
    private AddressBlock ipv6() {
        try {
            return AddressBlock.of(InetAddress.getByAddress(ipv6), ipv6Bits);
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException("sixteen bytes are an address", impossible);
        }
    }

    /// RFC 5782 5: every list of addresses lists 127.0.0.2, so that its users can see that it works.
    boolean isTestPoint() {
        return (isIpv4() && startsWith(TEST_POINT_IPV4, ipv4, 1, IPV4_BITS)) || (isIpv6() && ipv6().equals(TEST_POINT));
    }

    /// True if there may be listed addresses that begin with this part.
    boolean mayHaveListedBelow(LayerLease lease) {
        if (ipv4Bits != NONE && ipv4Bits < IPV4_BITS) {
            if (startsWith(TEST_POINT_IPV4, ipv4, 1, ipv4Bits) || meets(ipv4, lease)) {
                return true;
            }
        }
        if (ipv6Bits == NONE || ipv6Bits == IPV6_BITS) {
            return false;
        }
        return startsWith(TEST_POINT_IPV6, ipv6, 0, ipv6Bits) || isAboveIpv4() || meets(ipv6().bytes(), lease);
    }

    private boolean isAboveIpv4() {
        for (byte[] prefix : TRANSLATED) {
            if (ipv6Bits <= prefix.length * Byte.SIZE && startsWith(prefix, ipv6, 0, ipv6Bits)) {
                return true;
            }
        }
        return false;
    }

    private static boolean startsWith(byte[] whole, byte[] bytes, int at, int bits) {
        for (int i = 0; i < bits; i += 4) {
            int shift = i % 8 == 0 ? 4 : 0;
            if ((whole[i / 8] >> shift & 0xf) != (bytes[at + i / 8] >> shift & 0xf)) {
                return false;
            }
        }
        return true;
    }

    private static boolean meets(byte[] block, LayerLease lease) {
        for (Layer layer : lease.layers()) {
            Optional<AddressRanges> ranges = layer.networks();
            if (ranges.isPresent() && ranges.get().meets(block, 0, block.length)) {
                return true;
            }
        }
        return lease.local().meets(AddressBlock.ofBytes(block, 0, block.length));
    }
}
