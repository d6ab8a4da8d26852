package org.bloomgate.lookup.tier;

import java.time.Instant;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.core.bloom.BloomFilter;
import org.bloomgate.core.cidr.AddressRanges;
import org.bloomgate.core.key.KeyKind;

/// One adopted snapshot: its filters and the exact tier behind them.
///
/// @param name of the layer, for example `nightly`
/// @param createdAt when it was made, or last confirmed to be up to date with its feeds
/// @param filters by kind; a kind that is absent lists nothing
/// @param networks the ranges of all listed networks; empty if there are none
/// @param categories of the feeds of each kind: possible categories of a suspect while the exact tier does not
///     answer; none if all feeds of the kind are in shadow mode
/// @param listingSources sources of the feeds that have a maximum action or are in shadow mode, by name
/// @param exceptions of the feeds that have some, by name
public record Layer(
        String name,
        String generation,
        Instant createdAt,
        Map<KeyKind, BloomFilter> filters,
        Optional<AddressRanges> networks,
        Map<KeyKind, Set<String>> categories,
        Map<String, ListingSource> listingSources,
        Map<String, ListExceptions> exceptions,
        ExactLookup exact) {
    public Layer {
        filters = Map.copyOf(filters);
        categories = Map.copyOf(categories);
        listingSources = Map.copyOf(listingSources);
        exceptions = Map.copyOf(exceptions);
    }

    /// The exceptions that a feed itself publishes.
    ListExceptions exceptionsOf(String feed) {
        return exceptions.getOrDefault(feed, ListExceptions.NONE);
    }

    /// The listing with the source that its feed has in this layer.
    public Listing withSource(Listing listing) {
        ListingSource source = listingSources.get(listing.feed());
        return source == null ? listing : listing.withSource(source);
    }

    /// True if all listings of this kind are in shadow mode, so that an unanswered lookup does not matter.
    boolean isInShadow(KeyKind kind) {
        Set<String> enforced = categories.get(kind);
        return enforced != null && enforced.isEmpty();
    }

    /// A layer without networks and without special effects of feeds.
    public Layer(
            String name,
            String generation,
            Instant createdAt,
            Map<KeyKind, BloomFilter> filters,
            Map<KeyKind, Set<String>> categories,
            ExactLookup exact) {
        this(name, generation, createdAt, filters, Optional.empty(), categories, Map.of(), Map.of(), exact);
    }

    /// The kinds it lists.
    public Set<KeyKind> kinds() {
        Set<KeyKind> kinds = EnumSet.noneOf(KeyKind.class);
        kinds.addAll(filters.keySet());
        networks.ifPresent(_ -> kinds.add(KeyKind.NETWORK));
        return kinds;
    }

    /// The same layer, confirmed to be up to date at an instant.
    public Layer confirmedAt(Instant at) {
        return new Layer(
                name,
                generation,
                at.isAfter(createdAt) ? at : createdAt,
                filters,
                networks,
                categories,
                listingSources,
                exceptions,
                exact);
    }
}
