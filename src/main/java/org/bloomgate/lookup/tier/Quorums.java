package org.bloomgate.lookup.tier;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bloomgate.core.key.KeyBatch;

/// Identifiers that need several listed keys: the words of a text. Overlapping terms may seem to cover more of the
/// text than they do, which costs a query and does not change the answer.
final class Quorums {
    private Quorums() {}

    /// Removes the suspects of identifiers that have too few of them to be listed: filters have no false
    /// negatives, so the exact tier need not be queried. A clean message has listed words too.
    static void dropFutile(KeyBatch batch, List<Suspects> suspects) {
        Map<Integer, Integer> perIdentifier = new HashMap<>();
        for (Suspects ofLayer : suspects) {
            for (int key = 0; key < ofLayer.keys().size(); key++) {
                ofLayer.positions(key)
                        .forEach(position ->
                                perIdentifier.merge(batch.owner(position), batch.weight(position), Integer::sum));
            }
        }
        suspects.forEach(ofLayer -> ofLayer.drop(position -> {
            int owner = batch.owner(position);
            return perIdentifier.getOrDefault(owner, 0) < batch.quorum(owner);
        }));
    }
}
