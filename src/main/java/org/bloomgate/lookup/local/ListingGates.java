package org.bloomgate.lookup.local;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.bloomgate.lookup.tier.Entry;

/// Checks of an operator's own entry before it is made: a typing error blocks as much mail as an error of a
/// feed. Thread-safe.
public interface ListingGates {

    /// The reasons against a listing.
    ///
    /// @throws IOException when that cannot be found out
    ListingImpact assess(Entry listing) throws IOException;

    /// The same without a look at mail.
    ///
    /// @return why it is made only by force; none when it may be made
    List<String> objections(Entry listing) throws IOException;

    /// Names of the feeds that an exception may be for.
    ///
    /// @throws IOException when they cannot be found out
    Set<String> feeds() throws IOException;

    /// @param objections why it is made only by force; none when it may be made
    /// @param stopped how much of the mail delivered lately it would have stopped, in words
    record ListingImpact(List<String> objections, String stopped) {
        public ListingImpact {
            objections = List.copyOf(objections);
        }
    }

    /// Makes sure that an exception is for a feed that there is.
    ///
    /// @throws EntryRefusedException when it is for another
    default void requireKnownFeed(Entry exception) throws EntryRefusedException, IOException {
        if (exception.scope().feed().isPresent()) {
            Set<String> known = feeds();
            if (!known.contains(exception.scope().feed().get())) {
                throw new EntryRefusedException("there is no such feed; there are " + String.join(", ", known));
            }
        }
    }
}
