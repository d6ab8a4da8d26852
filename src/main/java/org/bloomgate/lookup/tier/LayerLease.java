package org.bloomgate.lookup.tier;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.PublicSuffixes;

/// The layers that were current when the lease was taken. While it is open, their filters stay mapped and their
/// stores open.
///
/// An implementation closes what it holds when the last lease of a retired set of layers is closed; closing twice
/// does nothing the second time.
public interface LayerLease extends AutoCloseable {

    /// Empty when no snapshot was adopted yet.
    List<Layer> layers();

    /// The public suffix list for the keys of messages: that of the newest layer, the bundled one if there is
    /// none.
    PublicSuffixes suffixes();

    /// The entries of operators when the lease was taken.
    default LocalRules local() {
        return LocalRules.NONE;
    }

    /// The live blocklists, which are not among the layers; empty if there are none, or if this process sends no
    /// queries.
    default Optional<LiveBlocklists> liveBlocklists() {
        return Optional.empty();
    }

    /// Called for an exception that overrides a listing. Must not block.
    default void recordHit(ListingException exception) {}

    /// Called for an exception that would override a listing if its sender were authenticated. Must not block.
    ///
    /// @param why results of the mechanisms, for example `dkim=none,spf=fail`
    default void recordUnauthenticated(ListingException exception, String why) {}

    /// The kinds that any layer lists, `local` included: keys of another kind need not be made.
    default Set<KeyKind> kinds() {
        Set<KeyKind> kinds = EnumSet.noneOf(KeyKind.class);
        kinds.addAll(local().kinds());
        liveBlocklists().ifPresent(lists -> kinds.addAll(lists.uses().keySet()));
        for (Layer layer : layers()) {
            kinds.addAll(layer.kinds());
        }
        return kinds;
    }

    /// Adds the digests of what the batch holds, where a layer lists domains or addresses by digest.
    default void addDigests(KeyBatch batch) {
        batch.addDigests(lists(KeyKind.DOMAIN_SHA1), lists(KeyKind.ADDRESS_SHA1));
    }

    private boolean lists(KeyKind kind) {
        List<Layer> layers = layers();
        for (int i = 0; i < layers.size(); i++) {
            if (layers.get(i).filters().containsKey(kind)) {
                return true;
            }
        }
        return local().kinds().contains(kind);
    }

    @Override
    void close();
}
