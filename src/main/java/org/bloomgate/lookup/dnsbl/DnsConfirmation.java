package org.bloomgate.lookup.dnsbl;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bloomgate.core.key.Key;
import org.bloomgate.lookup.tier.ExactAnswer;
import org.bloomgate.lookup.tier.ExactLookup;
import org.bloomgate.lookup.tier.Listing;

/// An exact tier whose listings of some feeds are each confirmed by a zone before they count.
///
/// The store answers first. Then all listings of confirmed feeds are queried together, within the remaining
/// time: a zone that lists the key gives the category, one that does not removes the listing, and one that
/// cannot be trusted leaves it unresolved ([ConfirmedKey]). The query is for the key itself, whatever name below it
/// occurred: a `suffix` listing of `bad.example` is confirmed by `bad.example.<zone>`.
///
/// A lookup service returns the content of its store ([#local()]) without confirmation; its clients query the
/// zone themselves, as the answers of a zone live by their TTL and not as long as a snapshot.
public final class DnsConfirmation implements ExactLookup {
    private final ExactLookup tier;
    private final Zones zones;

    DnsConfirmation(ExactLookup tier, Zones zones) {
        this.tier = tier;
        this.zones = zones;
    }

    @Override
    public List<ExactAnswer> lookup(List<Key> keys, Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        List<ExactAnswer> stored = tier.lookup(keys, timeout);
        if (zones.isEmpty()) {
            return stored;
        }
        List<List<ZoneQuery>> queries = stored.stream().map(this::sendQueries).toList();
        List<ExactAnswer> answers = new ArrayList<>(stored.size());
        for (int i = 0; i < stored.size(); i++) {
            answers.add(queries.get(i).isEmpty() ? stored.get(i) : confirm(stored.get(i), queries.get(i), deadline));
        }
        return answers;
    }

    @Override
    public Optional<ExactLookup> local() {
        return tier.local();
    }

    @Override
    public boolean mayQueryRemote() {
        return !zones.isEmpty() || tier.mayQueryRemote();
    }

    private List<ZoneQuery> sendQueries(ExactAnswer answer) {
        return listings(answer).stream()
                .flatMap(listing -> zones.find(listing.feed()).stream().map(by -> ZoneQuery.send(listing, by)))
                .toList();
    }

    private static List<Listing> listings(ExactAnswer answer) {
        return switch (answer) {
            case ExactAnswer.Listed listed -> listed.listings();
            case ExactAnswer.NotListed _, ExactAnswer.Unknown _ -> List.of();
        };
    }

    private static ExactAnswer confirm(ExactAnswer stored, List<ZoneQuery> queries, long deadline) {
        List<Listing> others = new ArrayList<>(listings(stored));
        queries.forEach(query -> others.remove(query.listing()));
        ConfirmedKey key = new ConfirmedKey(others);
        queries.forEach(query -> key.add(query, query.answer(deadline)));
        return key.answer();
    }

    /// The queries to the zones about a key and their answers, as text.
    public List<ZoneExchange> exchanges(Key key, Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        return tier.lookup(List.of(key), timeout).stream()
                .flatMap(answer -> sendQueries(answer).stream())
                .map(query -> query.exchange(deadline))
                .toList();
    }

    @Override
    public void close() {
        tier.close();
    }
}
