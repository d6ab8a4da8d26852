package org.bloomgate.lookup.tier;

import org.bloomgate.core.cidr.AddressRanges;
import org.bloomgate.core.key.AddressBlock;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;

/// Tests the addresses of a batch in the ranges of a layer. A covered address is listed by at least one block around
/// it. Each such block is a suspect, so that all feeds with overlapping networks are found.
final class NetworkProbe {
    private NetworkProbe() {}

    static void add(AddressRanges ranges, KeyBatch batch, Layer layer, LookupCounts counts, Suspects suspects) {
        int addresses = 0;
        for (int i = 0; i < batch.size(); i++) {
            if (batch.kindCode(i) == KeyKind.NETWORK.wireCode()) {
                addresses++;
                int widest = ranges.widestBlock(batch.bytes(), batch.start(i), batch.end(i));
                if (widest != AddressRanges.NOT_COVERED) {
                    addBlocks(batch, i, widest, suspects);
                }
            }
        }
        counts.filter(layer.name(), KeyKind.NETWORK).countProbes(addresses);
    }

    /// @param widest fewest bits of a block that may be listed
    static void addBlocks(KeyBatch batch, int position, int widest, Suspects suspects) {
        AddressBlock address = AddressBlock.ofBytes(batch.bytes(), batch.start(position), batch.end(position));
        address.keysAround(widest).forEach(key -> suspects.add(key, position));
    }

    /// A positive for a block around a listed address is not a false positive if another block around it is
    /// listed.
    static boolean isAside(Key key, ExactAnswer answer) {
        return key.kind() == KeyKind.NETWORK && answer instanceof ExactAnswer.NotListed;
    }
}
