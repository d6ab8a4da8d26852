package org.bloomgate.lookup.lookup;

import java.time.Instant;
import java.util.Set;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Use;

/// The statement of one feed about one key.
///
/// @param firstSeen when the feed first held the key, to the second
/// @param lastSeen when the feed last held the key, to the second
/// @param count how often the feed has seen it (passwords); 0 when the feed does not say
/// @param listedBy what the word of the feed counts
public record Listing(
        String feed,
        String category,
        Key key,
        Match match,
        Set<Use> uses,
        Instant firstSeen,
        Instant lastSeen,
        long count,
        ListingSource listedBy) {
    public Listing {
        uses = Set.copyOf(uses);
    }

    /// A listing of a feed about which nothing else is known here: who adopted its layer knows.
    public Listing(
            String feed,
            String category,
            Key key,
            Match match,
            Set<Use> uses,
            Instant firstSeen,
            Instant lastSeen,
            long count) {
        this(feed, category, key, match, uses, firstSeen, lastSeen, count, ListingSource.OfFeed.PLAIN);
    }

    /// The same listing in another category, of a feed that gives several.
    public Listing as(String other) {
        return new Listing(feed, other, key, match, uses, firstSeen, lastSeen, count, listedBy);
    }

    /// The same listing where its feed's word counts as this.
    public Listing counting(ListingSource as) {
        return listedBy.equals(as)
                ? this
                : new Listing(feed, category, key, match, uses, firstSeen, lastSeen, count, as);
    }
}
