package org.bloomgate.lookup.remote;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Use;
import org.bloomgate.lookup.tier.ExactAnswer;
import org.bloomgate.lookup.tier.ExactLookup;
import org.bloomgate.lookup.tier.Listing;

/// An exact tier that holds what it is told.
public final class HeldListings implements ExactLookup {
    private final Map<Key, List<Listing>> held = new HashMap<>();
    public boolean closed;

    public static Key key(String domain) {
        return new Key(KeyKind.DOMAIN, domain);
    }

    public static Listing listing(String feed, String category, String domain) {
        return listing(feed, category, domain, Match.SUFFIX, Set.of(Use.values()));
    }

    public static Listing listing(String feed, String category, String domain, Match match, Set<Use> uses) {
        return new Listing(feed, category, key(domain), match, uses, Instant.EPOCH, Instant.EPOCH, 0);
    }

    public HeldListings holds(Listing listing) {
        List<Listing> listings = held.computeIfAbsent(listing.key(), first -> new ArrayList<>());
        if (!listings.contains(listing)) {
            listings.add(listing);
        }
        return this;
    }

    @Override
    public List<ExactAnswer> lookup(List<Key> keys, Duration timeout) {
        return keys.stream().map(this::answer).toList();
    }

    @Override
    public Optional<ExactLookup> local() {
        return Optional.of(this);
    }

    private ExactAnswer answer(Key key) {
        if (key.text().startsWith("unreadable.")) {
            return new ExactAnswer.Unknown("damaged");
        }
        List<Listing> listings = held.getOrDefault(key, List.of());
        return listings.isEmpty() ? new ExactAnswer.NotListed() : new ExactAnswer.Listed(listings);
    }

    @Override
    public void close() {
        closed = true;
    }
}
