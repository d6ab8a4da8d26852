package org.bloomgate.lookup.tier;

import java.util.Set;
import org.bloomgate.core.key.AddressBlock;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;

/// Lists without a local copy: there is no filter, so every key of their kinds is queried.
///
/// @param layer whose exact tier queries them, without filters
/// @param kinds of the keys that are queried
public record LiveBlocklists(Layer layer, Set<KeyKind> kinds) {
    /// The name of the layer.
    public static final String LAYER = "dns";

    /// The most keys of one batch that are queried; a message can be made to contain thousands.
    static final int MOST_KEYS = 64;

    public LiveBlocklists {
        kinds = Set.copyOf(kinds);
    }

    /// @param settled identifiers that are not queried
    Suspects suspects(KeyBatch batch, Set<Integer> settled) {
        Suspects suspects = new Suspects(layer);
        for (int i = 0; i < batch.size() && suspects.keys().size() < MOST_KEYS; i++) {
            int at = i;
            if (settled.contains(batch.owner(i))) {
                continue;
            }
            KeyKind.ofWireCode(batch.kindCode(i))
                    .filter(kinds::contains)
                    .ifPresent(kind -> add(kind, batch, at, suspects));
        }
        return suspects;
    }

    /// An address is queried as it is, whatever block a list contains.
    private static void add(KeyKind kind, KeyBatch batch, int position, Suspects suspects) {
        if (kind == KeyKind.NETWORK) {
            AddressBlock address = AddressBlock.ofBytes(batch.bytes(), batch.start(position), batch.end(position));
            suspects.add(address.key(), position);
        } else {
            suspects.add(batch.key(position), position);
        }
    }
}
