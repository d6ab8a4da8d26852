package org.bloomgate.core.key;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.bloomgate.base.net.IpLiteral;

final class NetworkRules implements KindRules {
    /// A wider network is a mistake, or would list a large part of the internet.
    private static final int FEWEST_IPV4_BITS = 8;

    /// The prefix that registries allocate to the largest networks.
    private static final int FEWEST_IPV6_BITS = 19;

    /// Addresses with a meaning in only one network; a client with such an address is in the same network.
    private static final List<AddressBlock> NOT_GLOBAL = Stream.of(
                    "0.0.0.0/8",
                    "10.0.0.0/8",
                    "100.64.0.0/10",
                    "127.0.0.0/8",
                    "169.254.0.0/16",
                    "172.16.0.0/12",
                    "192.168.0.0/16",
                    "::/127",
                    "fe80::/10",
                    "fec0::/10",
                    "fc00::/7")
            .map(AddressBlock::parse)
            .toList();

    /// Whether the block has no private, loopback, link-local, shared (RFC 6598) or "this network" address.
    static boolean isGlobal(AddressBlock block) {
        return NOT_GLOBAL.stream().noneMatch(block::meets);
    }

    @Override
    public FeedKey feedKey(String entry, PublicSuffixes suffixes) {
        try {
            AddressBlock block = AddressBlock.parse(entry.strip());
            Optional<String> flaw = flaw(block);
            return flaw.<FeedKey>map(FeedKey.Rejected::new).orElseGet(() -> new FeedKey.Taken(block.key()));
        } catch (IllegalArgumentException e) {
            return new FeedKey.Rejected(String.valueOf(e.getMessage()));
        }
    }

    private static Optional<String> flaw(AddressBlock block) {
        if (block.bits() < (block.isIpv4() ? FEWEST_IPV4_BITS : FEWEST_IPV6_BITS)) {
            return Optional.of(
                    "too wide: at least /" + FEWEST_IPV4_BITS + ", of IPv6 /" + FEWEST_IPV6_BITS + ", is needed");
        }
        return isGlobal(block) ? Optional.empty() : Optional.of("private, loopback or link-local addresses");
    }

    /// Only a single address can be looked up, because a network may be listed in part.
    @Override
    public List<LookupValue> toLookupValues(String value) {
        return IpLiteral.parse(value.strip())
                .map(AddressBlock::of)
                .map(block -> new LookupValue(block.address(), (_, batch) -> block.append(batch)))
                .stream()
                .toList();
    }

    @Override
    public double keysPerMessage() {
        return 1;
    }

    @Override
    public byte[] bytes(String text) {
        return AddressBlock.parse(text).bytes();
    }

    @Override
    public String text(byte[] bytes, int offset, int length) {
        return AddressBlock.ofBytes(bytes, offset, offset + length).toString();
    }

    /// True, because for example a list of dynamic addresses applies to clients but not to the hops before
    /// them.
    @Override
    public boolean hasUses() {
        return true;
    }

    @Override
    public boolean hasRanges() {
        return true;
    }
}
