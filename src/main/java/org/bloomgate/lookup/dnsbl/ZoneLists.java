package org.bloomgate.lookup.dnsbl;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Use;
import org.bloomgate.lookup.tier.ExactAnswer;
import org.bloomgate.lookup.tier.ExactLookup;
import org.bloomgate.lookup.tier.Layer;
import org.bloomgate.lookup.tier.Listing;
import org.bloomgate.lookup.tier.ListingSource;
import org.bloomgate.lookup.tier.LiveBlocklists;

/// Lists that exist only as zones, as the exact tier of a layer without filters.
///
/// All queries are sent at once. A list that is silent, invalid or late counts as not listing the value: mail
/// waits at most for the budget and is never deferred because a third-party list is unavailable. Beyond
/// [LiveBlocklists#MAX_QUERIED_KEYS] keys, only cached answers are used.
final class ZoneLists implements ExactLookup {
    /// Clean mail waits at most this long, whatever the budgets are.
    private static final Duration LONGEST_WAIT = Duration.ofMillis(250);

    private final List<QueriedList> lists;
    private final InstantSource clock;
    private final LongConsumer waitTimes;

    /// A list with its zone.
    record QueriedList(QueriedFeed feed, Zone zone) {}

    /// @param waitTimes receives how long each lookup took, in nanoseconds
    ZoneLists(List<QueriedList> lists, InstantSource clock, LongConsumer waitTimes) {
        this.waitTimes = waitTimes;
        this.lists = List.copyOf(lists);
        this.clock = clock;
    }

    /// The lists for lookups; empty without any.
    Optional<LiveBlocklists> liveBlocklists() {
        if (lists.isEmpty()) {
            return Optional.empty();
        }
        Map<KeyKind, Set<Use>> uses = new EnumMap<>(KeyKind.class);
        Map<String, ListingSource> listingSources = new HashMap<>();
        lists.forEach(list -> {
            uses.computeIfAbsent(list.feed().kind(), _ -> EnumSet.noneOf(Use.class))
                    .addAll(list.feed().uses());
            listingSources.put(list.feed().says().feed(), list.feed().source());
        });
        Layer layer = new Layer(
                LiveBlocklists.LAYER,
                "",
                Instant.EPOCH,
                Map.of(),
                Optional.empty(),
                Map.of(),
                listingSources,
                Map.of(),
                this);
        return Optional.of(new LiveBlocklists(layer, uses));
    }

    /// The answer about a key that was not queried is unknown.
    ///
    /// @param keys the most important first
    @Override
    public List<ExactAnswer> lookup(List<Key> keys, Duration timeout) {
        long began = System.nanoTime();
        List<SentQueries> queries = new ArrayList<>();
        int queried = 0;
        for (Key key : keys) {
            SentQueries ofKey = sendQueries(key, queried < LiveBlocklists.MAX_QUERIED_KEYS);
            queried += ofKey.uncached() ? 1 : 0;
            queries.add(ofKey);
        }
        List<ExactAnswer> answers =
                queries.stream().map(ofKey -> answer(ofKey, began, timeout)).toList();
        waitTimes.accept(System.nanoTime() - began);
        return answers;
    }

    /// A query in progress.
    private record SentQuery(QueriedFeed feed, ZoneQuery query) {}

    /// The queries about one key.
    ///
    /// @param uncached whether an answer was not cached; beyond the bound that list was not queried
    private record SentQueries(List<SentQuery> queries, boolean uncached, boolean complete) {}

    private SentQueries sendQueries(Key key, boolean withinBound) {
        List<SentQuery> queries = new ArrayList<>();
        boolean uncached = false;
        for (QueriedList list : lists) {
            if (list.feed().kind() != key.kind()) {
                continue;
            }
            boolean cached = list.zone().isCached(key);
            uncached |= !cached;
            if (cached || withinBound) {
                Listing listing = listing(key, list.feed());
                queries.add(new SentQuery(
                        list.feed(),
                        ZoneQuery.send(listing, new Zones.Confirming(list.feed().says(), list.zone()))));
            }
        }
        return new SentQueries(queries, uncached, withinBound || !uncached);
    }

    private Listing listing(Key key, QueriedFeed feed) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        return new Listing(
                feed.says().feed(), feed.says().answers().category(), key, feed.match(), feed.uses(), now, now, 0);
    }

    private static ExactAnswer answer(SentQueries ofKey, long began, Duration timeout) {
        List<Listing> listed = new ArrayList<>();
        for (SentQuery sent : ofKey.queries()) {
            Duration budget = Collections.min(List.of(sent.feed().budget(), LONGEST_WAIT, timeout));
            switch (sent.query().answer(began + budget.toNanos())) {
                case ZoneQuery.Answer.Listed answer ->
                    answer.categories()
                            .forEach(category ->
                                    listed.add(sent.query().listing().as(category)));
                case ZoneQuery.Answer.NotListed _ -> {}
                case ZoneQuery.Answer.Unknown _ -> {
                    // counted by the zone; an unavailable third-party list delays nothing
                }
            }
        }
        if (!ofKey.complete()) {
            return new ExactAnswer.Unknown("not queried: too many keys", listed, List.of());
        }
        return listed.isEmpty() ? new ExactAnswer.NotListed() : new ExactAnswer.Listed(listed);
    }

    @Override
    public void close() {
        // Zones closes the zones.
    }
}
