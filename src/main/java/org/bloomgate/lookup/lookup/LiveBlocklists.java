package org.bloomgate.lookup.lookup;

import java.util.Set;
import org.bloomgate.core.key.AddressBlock;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;

/// Lists that nobody holds a copy of: no filter says "surely not listed", so every key of their kinds is asked about.
///
/// @param layer whose exact tier asks them, without filters
/// @param kinds the keys they are asked about
public record LiveBlocklists(Layer layer, Set<KeyKind> kinds) {
    /// The name of the layer.
    public static final String LAYER = "dns";

    /// Keys of one batch that are asked about; a message can be made to hold thousands.
    static final int MOST_KEYS = 64;

    public LiveBlocklists {
        kinds = Set.copyOf(kinds);
    }

    Suspects suspects(KeyBatch batch) {
        Suspects suspects = new Suspects(layer);
        for (int i = 0; i < batch.size() && suspects.keys().size() < MOST_KEYS; i++) {
            int at = i;
            KeyKind.ofWireCode(batch.kindCode(i))
                    .filter(kinds::contains)
                    .ifPresent(kind -> add(kind, batch, at, suspects));
        }
        return suspects;
    }

    /// An address is asked about as it is, whatever block a list holds.
    private static void add(KeyKind kind, KeyBatch batch, int position, Suspects suspects) {
        if (kind == KeyKind.NETWORK) {
            AddressBlock address = AddressBlock.ofBytes(batch.bytes(), batch.start(position), batch.end(position));
            suspects.add(address.key(), position);
        } else {
            suspects.add(batch.key(position), position);
        }
    }
}
