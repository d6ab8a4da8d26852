package org.bloomgate.lookup.store;

import java.io.IOException;
import java.util.List;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lookup.tier.ExactLookup;
import org.bloomgate.lookup.tier.OrderedKeyStore;

/// The exact store of a snapshot on this machine, open for lookups and iteration.
public interface SortedStore extends ExactLookup, OrderedKeyStore {

    /// The dictionary that the values of [StoreCursor#value()] refer to.
    FeedDictionary dictionary();

    /// The feeds whose listings the store holds, by the positions that [StoreCursor#stored()] has.
    default List<ListedFeed> feeds() {
        return dictionary().feeds();
    }

    /// A cursor over all keys, which the caller closes before it closes the store.
    ///
    /// @throws IOException when the store is closed
    StoreCursor cursor() throws IOException;

    /// The same over the keys of one kind.
    StoreCursor cursor(KeyKind kind) throws IOException;
}
