package org.bloomgate.lookup.local;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.bloomgate.lookup.tier.Entry;

/// Checks an operator's entry before it is added: a typing error blocks as much mail as an error of a feed.
/// Thread-safe.
public interface ListingGates {

    /// What each of these listings would do, with the objections to it. Recent mail is read once.
    ///
    /// @throws IOException when feeds or mail cannot be read
    List<ListingPreview> preview(List<Entry> listings) throws IOException;

    /// The same for one listing.
    default ListingPreview preview(Entry listing) throws IOException {
        return preview(List.of(listing)).getFirst();
    }

    /// The objections to a listing alone.
    ///
    /// @return reasons why it is added only if it is forced
    List<String> objections(Entry listing) throws IOException;

    /// Names of the feeds that an exception may be for.
    ///
    /// @throws IOException when they cannot be read
    Set<String> feeds() throws IOException;

    /// Checks that the feed in the scope of an exception exists.
    ///
    /// @throws EntryRefusedException when it does not
    default void requireKnownFeed(Entry exception) throws EntryRefusedException, IOException {
        if (exception.scope().feed().isPresent()) {
            Set<String> known = feeds();
            if (!known.contains(exception.scope().feed().get())) {
                throw new EntryRefusedException("there is no such feed; there are " + String.join(", ", known));
            }
        }
    }
}
