package org.bloomgate.lookup.tier;

import static java.util.stream.Collectors.collectingAndThen;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toList;
import static java.util.stream.Collectors.toSet;
import static java.util.stream.Collectors.toUnmodifiableMap;
import static java.util.stream.Collectors.toUnmodifiableSet;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.bloomgate.core.key.AddressBlock;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;

/// The entries of operators at one time: the layer `local`, an exact set without a filter, and the exceptions
/// to it and to all other layers. Immutable and thread-safe.
///
/// An exception takes precedence over a local listing, which takes precedence over listings of feeds.
public final class LocalRules {
    /// Name of the layer, and the feed of its listings.
    public static final String LAYER = "local";

    /// The order in which statements count, in words.
    public static final String PRECEDENCE =
            "exceptions (the narrowest scope is named), then local listings, then the feeds of the snapshots";

    public static final LocalRules NONE = new LocalRules(List.of(), List.of(), 0);

    private final Layer layer;
    private final Collection<Listing> listings;
    private final Set<KeyKind> kinds;
    private final KeyTable table;
    private final LocalNetworks networks;
    private final Map<Key, List<ListingException>> exceptions;
    private final List<Key> exceptedPasswords;
    private final Set<String> recipientDomains;
    private final List<ListingException> ofWholeMessages;
    private final boolean anyForSenders;

    /// @param listings at most one of a key
    /// @param seed secret and random, so that no sender can choose keys that collide
    public LocalRules(List<Listing> listings, List<ListingException> exceptions, long seed) {
        Map<Key, Listing> byKey = listings.stream().collect(toUnmodifiableMap(Listing::key, listing -> listing));
        this.listings = byKey.values();
        Map<KeyKind, Set<String>> categories = listings.stream()
                .collect(groupingBy(listing -> listing.key().kind(), mapping(Listing::category, toSet())));
        this.layer = new Layer(LAYER, LAYER, Instant.EPOCH, Map.of(), categories, new LocalListings(byKey));
        this.kinds = categories.keySet();
        this.table = new KeyTable(byKey.keySet(), seed);
        this.networks = new LocalNetworks(byKey.keySet());
        this.exceptions = exceptions.stream()
                .sorted(ListingException.NARROWEST_FIRST)
                .collect(collectingAndThen(
                        groupingBy(ListingException::key, toCollection(ArrayList::new)), Map::copyOf));
        this.exceptedPasswords = exceptions.stream()
                .filter(LocalRules::isForEveryone)
                .map(ListingException::key)
                .filter(key -> key.kind() == KeyKind.PASSWORD)
                .distinct()
                .toList();
        this.recipientDomains = exceptions.stream()
                .flatMap(exception -> exception.scope().recipientDomain().stream())
                .collect(toUnmodifiableSet());
        this.ofWholeMessages = exceptions.stream()
                .filter(exception -> exception.scope().coversWholeMessages(exception.key()))
                .toList();
        this.anyForSenders =
                exceptions.stream().anyMatch(exception -> !exception.scope().includesAllSenders());
    }

    private static boolean isForEveryone(ListingException exception) {
        return exception.scope().includesAllRecipients() && exception.scope().includesAllSenders();
    }

    /// The layer of the listings. It has no filter and is not a snapshot: its generation and age have no
    /// meaning.
    public Layer layer() {
        return layer;
    }

    /// The kinds that are listed here.
    public Set<KeyKind> kinds() {
        return kinds;
    }

    /// The keys of the batch that are listed here.
    Suspects suspects(KeyBatch batch) {
        Suspects suspects = new Suspects(layer);
        for (int i = 0; i < batch.size(); i++) {
            if (table.contains(batch, i)) {
                suspects.add(batch.key(i), i);
            }
        }
        networks.addTo(suspects, batch);
        return suspects;
    }

    /// Whether any key of the batch is listed here. Makes no object.
    boolean containsAny(KeyBatch batch) {
        if (kinds.isEmpty()) {
            return false;
        }
        for (int i = 0; i < batch.size(); i++) {
            if (table.contains(batch, i)) {
                return true;
            }
        }
        return networks.containAny(batch);
    }

    /// Whether any address of the block is listed here.
    public boolean meets(AddressBlock block) {
        return networks.overlap(block);
    }

    /// The listings made here, in no order.
    public Collection<Listing> listings() {
        return listings;
    }

    /// All exceptions, in no order.
    public Stream<ListingException> exceptions() {
        return exceptions.values().stream().flatMap(List::stream);
    }

    /// True if some exception is only for mail of some senders.
    public boolean hasExceptionsForSenders() {
        return anyForSenders;
    }

    /// The exceptions that cover identifiers of the batch, by their positions, the narrowest first.
    ///
    /// @param senders supplies the sender names of the message
    Map<Integer, List<ListingException>> covering(
            KeyBatch batch, Set<Integer> identifiers, Supplier<SenderNames> senders) {
        if (exceptions.isEmpty()) {
            return Map.of();
        }
        SenderNames names = anyForSenders ? senders.get() : SenderNames.NONE;
        List<ListingException> ofMessage =
                ofWholeMessages.stream().filter(names::match).toList();
        Map<Integer, Set<ListingException>> covering = new HashMap<>();
        if (!ofMessage.isEmpty()) {
            identifiers.forEach(owner -> covering.put(owner, new HashSet<>(ofMessage)));
        }
        for (int i = 0; i < batch.size(); i++) {
            if (identifiers.contains(batch.owner(i)) && batch.quorum(batch.owner(i)) == 1) {
                boolean itself = batch.itself(i);
                keysAround(batch, i)
                        .flatMap(key -> exceptions.getOrDefault(key, List.of()).stream())
                        .filter(exception ->
                                names.match(exception) && exception.match().reaches(exception.key(), itself))
                        .forEach(covering.computeIfAbsent(batch.owner(i), owner -> new HashSet<>())::add);
            }
        }
        Map<Integer, List<ListingException>> sorted = new HashMap<>();
        covering.forEach((owner, all) -> sorted.put(
                owner, all.stream().sorted(ListingException.NARROWEST_FIRST).collect(toList())));
        return sorted;
    }

    /// The identifiers of a batch about which no list needs to be queried: listed here, or excepted from every
    /// list for every sender and recipient.
    Set<Integer> settled(KeyBatch batch) {
        Set<Integer> settled = new HashSet<>();
        if (!kinds.isEmpty()) {
            Suspects listed = suspects(batch);
            for (int i = 0; i < listed.keys().size(); i++) {
                listed.positions(i).forEach(position -> settled.add(batch.owner(position)));
            }
        }
        if (!exceptions.isEmpty()) {
            Set<Integer> all = new HashSet<>();
            for (int i = 0; i < batch.size(); i++) {
                all.add(batch.owner(i));
            }
            covering(batch, all, () -> SenderNames.NONE).forEach((owner, by) -> {
                if (by.stream()
                        .map(ListingException::scope)
                        .anyMatch(scope -> scope.includesAllListings() && scope.includesAllRecipients())) {
                    settled.add(owner);
                }
            });
        }
        return settled;
    }

    /// The key, and of an address every network that it is in.
    private static Stream<Key> keysAround(KeyBatch batch, int i) {
        return batch.kindCode(i) == KeyKind.NETWORK.wireCode()
                ? LocalNetworks.around(batch, i)
                : Stream.of(batch.key(i));
    }

    /// The keys of passwords that are excepted for all recipients and senders.
    public List<Key> exceptedPasswords() {
        return exceptedPasswords;
    }

    /// Whether an exception of this very key overrides the listing for everybody.
    public boolean overrides(Key key, Listing listing) {
        return exceptions.getOrDefault(key, List.of()).stream()
                .anyMatch(exception -> isForEveryone(exception) && exception.overrides(listing));
    }

    /// True when no exception treats recipients at these two domains differently.
    ///
    /// @param domain lower-case
    public boolean sameFor(String domain, String other) {
        return domain.equals(other) || !(recipientDomains.contains(domain) || recipientDomains.contains(other));
    }
}
