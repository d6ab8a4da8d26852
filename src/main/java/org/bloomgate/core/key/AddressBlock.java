package org.bloomgate.core.key;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bloomgate.base.net.IpLiteral;
import org.bloomgate.core.text.TextScan;
import org.bloomgate.core.url.Ipv6;

/// A network in CIDR form, or a single address, as a key. Its bytes are 4 or 6, the first address, and the
/// number of leading bits. Blocks sort by address, a wider block before those within it.
///
/// An IPv6 address that contains an IPv4 address is treated as that address, because its owner could otherwise
/// choose how it is looked up: IPv4-mapped (`::ffff:0:0/96`), 6to4 (`2002::/16`, RFC 3056) and NAT64
/// (`64:ff9b::/96`, RFC 6052). Not Teredo, whose IPv4 address is that of a server or of a home router.
/// Immutable.
public final class AddressBlock {
    private static final int IPV4_BITS = 32;
    private static final int IPV6_BITS = 128;

    /// The bits of an IPv6 prefix that contains IPv4 addresses.
    private static final int MAPPED_BITS = IPV6_BITS - IPV4_BITS;

    private static final int SIX_TO_FOUR_BITS = 16;

    private final byte[] bytes;

    private AddressBlock(byte[] bytes) {
        this.bytes = bytes;
    }

    /// A single address.
    public static AddressBlock of(InetAddress address) {
        return of(address, address.getAddress().length * Byte.SIZE);
    }

    /// The block with this many leading bits that contains the address.
    public static AddressBlock of(InetAddress address, int bits) {
        byte[] bytes = address.getAddress();
        return bytes.length * Byte.SIZE == IPV4_BITS ? ofIpv4(bytes, 0, bits) : ofIpv6(bytes, bits);
    }

    private static AddressBlock ofIpv4(byte[] source, int at, int bits) {
        byte[] block = new byte[6];
        block[0] = 4;
        System.arraycopy(source, at, block, 1, 4);
        return masked(block, Math.clamp(bits, 0, IPV4_BITS));
    }

    private static AddressBlock ofIpv6(byte[] source, int bits) {
        if (bits >= MAPPED_BITS && (isMapped(source) || isTranslated(source))) {
            return ofIpv4(source, 12, bits - MAPPED_BITS);
        }
        if (bits >= SIX_TO_FOUR_BITS && source[0] == 0x20 && source[1] == 2) {
            return ofIpv4(source, 2, bits - SIX_TO_FOUR_BITS);
        }
        byte[] block = new byte[18];
        block[0] = 6;
        System.arraycopy(source, 0, block, 1, 16);
        return masked(block, bits);
    }

    private static boolean isMapped(byte[] source) {
        return isZero(source, 0, 10) && source[10] == -1 && source[11] == -1;
    }

    private static boolean isTranslated(byte[] source) {
        return source[0] == 0
                && source[1] == 0x64
                && source[2] == -1
                && source[3] == (byte) 0x9b
                && isZero(source, 4, 12);
    }

    private static boolean isZero(byte[] source, int from, int to) {
        for (int i = from; i < to; i++) {
            if (source[i] != 0) {
                return false;
            }
        }
        return true;
    }

    private static AddressBlock masked(byte[] block, int bits) {
        mask(block, bits);
        return new AddressBlock(block);
    }

    private static void mask(byte[] block, int bits) {
        for (int i = 1; i < block.length - 1; i++) {
            int prefixBits = Math.clamp(bits - (i - 1) * Byte.SIZE, 0, Byte.SIZE);
            block[i] &= (byte) (0xff00 >> prefixBits);
        }
        block[block.length - 1] = (byte) bits;
    }

    /// Whether the text is an address, or a network.
    public static boolean isBlock(String text) {
        try {
            AddressBlock _ = parse(text);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /// Parses an address, or a network: its first address, a slash, and the number of leading bits.
    ///
    /// @throws IllegalArgumentException with the reason
    public static AddressBlock parse(String text) {
        int slash = text.indexOf('/');
        InetAddress address = IpLiteral.parse(slash < 0 ? text : text.substring(0, slash))
                .orElseThrow(() -> new IllegalArgumentException("not an address or network"));
        if (slash < 0) {
            return of(address);
        }
        int bits = bits(text, slash + 1);
        int most = address.getAddress().length * Byte.SIZE;
        boolean mapped = most == IPV4_BITS && text.indexOf(':') >= 0;
        int own = mapped ? bits - (IPV6_BITS - IPV4_BITS) : bits;
        if (own < 0 || own > most) {
            throw new IllegalArgumentException("not a number of leading bits: " + text.substring(slash));
        }
        byte[] first = address.getAddress();
        byte[] whole = new byte[first.length + 2];
        System.arraycopy(first, 0, whole, 1, first.length);
        byte[] unmasked = whole.clone();
        mask(whole, own);
        if (!Arrays.equals(unmasked, 1, first.length + 1, whole, 1, first.length + 1)) {
            throw new IllegalArgumentException("an address within a network, whose first address is needed");
        }
        return of(address, own);
    }

    private static int bits(String text, int from) {
        if (!TextScan.consistsOf(text.substring(from), TextScan::isDigit, 1, 3)) {
            throw new IllegalArgumentException("not a number of leading bits: " + text.substring(from - 1));
        }
        return Integer.parseInt(text.substring(from));
    }

    /// @throws IllegalArgumentException if these are not the bytes of a block
    public static AddressBlock ofBytes(byte[] source, int from, int to) {
        byte[] block = Arrays.copyOfRange(source, from, to);
        int length = block.length;
        boolean four = length == 6 && block[0] == 4 && (block[5] & 0xff) <= IPV4_BITS;
        boolean six = length == 18 && block[0] == 6 && (block[17] & 0xff) <= IPV6_BITS;
        if (!four && !six) {
            throw new IllegalArgumentException("not the bytes of a network");
        }
        return new AddressBlock(block);
    }

    /// Whether the block is public: not private, loopback, link-local or shared.
    public boolean isGlobal() {
        return NetworkRules.isGlobal(this);
    }

    public boolean isIpv4() {
        return bytes[0] == 4;
    }

    /// The number of leading bits that all addresses of the block share.
    public int bits() {
        return bytes[bytes.length - 1] & 0xff;
    }

    public boolean isSingle() {
        return bits() == (isIpv4() ? IPV4_BITS : IPV6_BITS);
    }

    /// The block around this one that has this many leading bits.
    ///
    /// @param fewer at most the number of bits of this block
    public AddressBlock within(int fewer) {
        return masked(bytes.clone(), fewer);
    }

    /// The key of the block, then those of the blocks around it, the narrowest first.
    ///
    /// @param fewest leading bits of the widest block
    public Stream<Key> keysAround(int fewest) {
        return IntStream.iterate(bits(), bits -> bits >= fewest, bits -> bits - 1)
                .mapToObj(bits -> within(bits).key());
    }

    /// The two halves of the block.
    ///
    /// @throws IllegalStateException if it is a single address
    public List<AddressBlock> halves() {
        if (isSingle()) {
            throw new IllegalStateException("a single address");
        }
        byte[] second = bytes.clone();
        second[1 + bits() / Byte.SIZE] |= (byte) (0x80 >> (bits() % Byte.SIZE));
        return List.of(masked(bytes.clone(), bits() + 1), masked(second, bits() + 1));
    }

    /// Whether every address of the other block is in this one.
    public boolean contains(AddressBlock other) {
        if (bytes[0] != other.bytes[0] || other.bits() < bits()) {
            return false;
        }
        byte[] wider = other.bytes.clone();
        mask(wider, bits());
        return Arrays.equals(wider, bytes);
    }

    /// Whether the blocks have an address in common, which means that one contains the other.
    public boolean meets(AddressBlock other) {
        return contains(other) || other.contains(this);
    }

    public byte[] bytes() {
        return bytes.clone();
    }

    public Key key() {
        return Key.ofBytes(KeyKind.NETWORK, bytes, 0, bytes.length);
    }

    /// Appends the key of a single address to the last identifier of the batch.
    public void append(KeyBatch batch) {
        batch.append(bytes, 0, bytes.length).endKey(KeyKind.NETWORK, true);
    }

    /// The first address, with IPv6 in the form of RFC 5952.
    public String address() {
        if (isIpv4()) {
            return (bytes[1] & 0xff) + "." + (bytes[2] & 0xff) + "." + (bytes[3] & 0xff) + "." + (bytes[4] & 0xff);
        }
        StringBuilder groups = new StringBuilder(40);
        for (int i = 1; i < bytes.length - 1; i += 2) {
            groups.append(i == 1 ? "" : ":")
                    .append(Integer.toHexString(((bytes[i] & 0xff) << 8) | (bytes[i + 1] & 0xff)));
        }
        byte[] text = groups.toString().getBytes(StandardCharsets.US_ASCII);
        Optional<Ipv6> parsed = Ipv6.parse(text, 0, text.length);
        byte[] bracketed = parsed.orElseThrow().format();
        return new String(bracketed, 1, bracketed.length - 2, StandardCharsets.US_ASCII);
    }

    /// The block in CIDR form, also for a single address.
    @Override
    public String toString() {
        return address() + "/" + bits();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AddressBlock block && Arrays.equals(bytes, block.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }
}
