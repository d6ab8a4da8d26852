package org.bloomgate.lookup.tier;

import java.time.Instant;
import java.util.Set;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Use;

/// The statement of one feed about one key.
///
/// @param firstSeen when the feed first contained the key, to the second
/// @param lastSeen when the feed last contained the key, to the second
/// @param count how often the feed has seen it (passwords); 0 if the feed has no counts
/// @param source where the listing comes from, and the strongest action it can cause
public record Listing(
        String feed,
        String category,
        Key key,
        Match match,
        Set<Use> uses,
        Instant firstSeen,
        Instant lastSeen,
        long count,
        ListingSource source) {
    public Listing {
        uses = Set.copyOf(uses);
    }

    /// A listing of a feed without special settings; [Layer#withSource] sets those of the layer.
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
        return new Listing(feed, other, key, match, uses, firstSeen, lastSeen, count, source);
    }

    /// Returns this listing with another source.
    public Listing withSource(ListingSource other) {
        return source.equals(other)
                ? this
                : new Listing(feed, category, key, match, uses, firstSeen, lastSeen, count, other);
    }
}
