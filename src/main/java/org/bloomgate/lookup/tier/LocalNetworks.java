package org.bloomgate.lookup.tier;

import static java.util.stream.Collectors.toUnmodifiableSet;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.bloomgate.core.key.AddressBlock;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;

/// The networks that operators list: few, of few lengths, so that an address is looked up once for each length.
/// Costs nothing while there are none. Immutable and thread-safe.
final class LocalNetworks {
    private final Set<Key> listed;
    private final List<AddressBlock> blocks;
    private final int[] ipv4Bits;
    private final int[] ipv6Bits;

    /// @param keys of any kind
    LocalNetworks(Collection<Key> keys) {
        listed = keys.stream().filter(key -> key.kind() == KeyKind.NETWORK).collect(toUnmodifiableSet());
        blocks = listed.stream().map(key -> AddressBlock.parse(key.text())).toList();
        ipv4Bits = bits(blocks, true);
        ipv6Bits = bits(blocks, false);
    }

    private static int[] bits(List<AddressBlock> blocks, boolean ipv4) {
        return blocks.stream()
                .filter(block -> block.isIpv4() == ipv4)
                .mapToInt(AddressBlock::bits)
                .distinct()
                .sorted()
                .toArray();
    }

    boolean containAny(KeyBatch batch) {
        for (int i = 0; i < batch.size() && !listed.isEmpty(); i++) {
            if (batch.kindCode(i) == KeyKind.NETWORK.wireCode()
                    && around(batch, i).anyMatch(listed::contains)) {
                return true;
            }
        }
        return false;
    }

    boolean overlap(AddressBlock block) {
        for (AddressBlock listedBlock : blocks) {
            if (listedBlock.meets(block)) {
                return true;
            }
        }
        return false;
    }

    void addTo(Suspects suspects, KeyBatch batch) {
        if (listed.isEmpty()) {
            return;
        }
        for (int i = 0; i < batch.size(); i++) {
            if (batch.kindCode(i) == KeyKind.NETWORK.wireCode()) {
                addTo(suspects, AddressBlock.ofBytes(batch.bytes(), batch.start(i), batch.end(i)), i);
            }
        }
    }

    /// The address itself is in the table of all keys.
    private void addTo(Suspects suspects, AddressBlock address, int position) {
        for (int bits : address.isIpv4() ? ipv4Bits : ipv6Bits) {
            Key key = address.within(bits).key();
            if (bits < address.bits() && listed.contains(key)) {
                suspects.add(key, position);
            }
        }
    }

    /// Every network that an address of the batch is in, itself included.
    static Stream<Key> around(KeyBatch batch, int position) {
        return AddressBlock.ofBytes(batch.bytes(), batch.start(position), batch.end(position))
                .keysAround(0);
    }
}
