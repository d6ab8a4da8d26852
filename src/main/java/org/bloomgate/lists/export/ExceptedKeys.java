package org.bloomgate.lists.export;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.bloomgate.core.key.AddressBlock;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.lists.snapshot.ManifestFeed;
import org.bloomgate.lookup.tier.ListExceptions;
import org.bloomgate.lookup.tier.Listing;
import org.bloomgate.lookup.tier.ListingException;

/// The exceptions that apply to all recipients: those of operators and publishers, and those of feeds. It
/// decides for one listing at a time. Immutable.
final class ExceptedKeys {
    private final Map<Key, List<ListingException>> exceptions = new HashMap<>();
    private final Map<String, ListExceptions> ofFeeds = new HashMap<>();
    private final NavigableMap<byte[], Key> names = new TreeMap<>(Arrays::compareUnsigned);
    private final NavigableMap<byte[], Key> blocks = new TreeMap<>(Arrays::compareUnsigned);

    ExceptedKeys(List<ListingException> exceptions, List<ManifestFeed> feeds) {
        exceptions.forEach(exception -> this.exceptions
                .computeIfAbsent(exception.key(), _ -> new ArrayList<>())
                .add(exception));
        feeds.stream()
                .filter(feed -> !feed.exceptions().isEmpty())
                .forEach(feed -> ofFeeds.put(feed.name(), new ListExceptions(Set.copyOf(feed.exceptions()))));
        Set<Key> keys = new HashSet<>(this.exceptions.keySet());
        ofFeeds.values().forEach(ofFeed -> ofFeed.keys().forEach(key -> keys.add(ListExceptions.place(key))));
        for (Key key : keys) {
            switch (key.kind()) {
                case DOMAIN -> names.put(ReversedName.of(key.text()), key);
                case NETWORK -> blocks.put(key.bytes(), key);
                default -> {}
            }
        }
    }

    /// The names and networks that have exceptions.
    List<Key> places() {
        List<Key> places = new ArrayList<>(names.values());
        places.addAll(blocks.values());
        return places;
    }

    boolean isPlace(Key key) {
        return switch (key.kind()) {
            case DOMAIN -> !names.isEmpty() && names.containsKey(ReversedName.of(key.text()));
            case NETWORK -> blocks.containsKey(key.bytes());
            default -> false;
        };
    }

    boolean cover(Listing listing) {
        return cover(listing.key(), listing.match() == Match.BELOW, listing);
    }

    /// Whether an exception covers a listing of a place, or of one around it, at the place.
    ///
    /// @param below true for the names below the place, where exceptions of only the place do not count
    boolean cover(Key place, boolean below, Listing listing) {
        return ofFeeds.getOrDefault(listing.feed(), ListExceptions.NONE).cover(place, below, listing.key())
                || exceptionsAt(place, below).anyMatch(exception -> exception.overrides(listing));
    }

    /// Whether an exception from every list covers a place, or the names below it.
    boolean coverAll(Key place, boolean below) {
        return exceptionsAt(place, below)
                .anyMatch(exception -> exception.scope().includesAllListings());
    }

    private Stream<ListingException> exceptionsAt(Key place, boolean below) {
        if (exceptions.isEmpty()) {
            return Stream.empty();
        }
        return place.around().stream()
                .flatMap(around -> exceptions.getOrDefault(around, List.of()).stream())
                .filter(exception ->
                        exception.match().reaches(exception.key(), !below && isAt(place, exception.key())));
    }

    /// Whether the key of an exception is that of a place or of its host.
    private static boolean isAt(Key place, Key exception) {
        return exception.equals(place)
                || (exception.kind() == KeyKind.DOMAIN
                        && place.kind().rules().host(place.text()).equals(Optional.of(exception.text())));
    }

    /// The only feed that excepts a place; empty if there is not exactly one exception.
    String onlyFeed(Key place) {
        List<String> feeds = ofFeeds.entrySet().stream()
                .filter(feed -> feed.getValue().areAt(place))
                .map(Map.Entry::getKey)
                .toList();
        return exceptions.containsKey(place) || feeds.size() != 1 ? "" : feeds.getFirst();
    }

    /// Whether an exception covers a listing of a name at some name below it.
    boolean coverBelow(Listing listing) {
        if (cover(listing.key(), true, listing)) {
            return true;
        }
        byte[] name = ReversedName.of(listing.key().text());
        for (Map.Entry<byte[], Key> entry :
                names.tailMap(Arrays.copyOf(name, name.length + 1)).entrySet()) {
            if (!ReversedName.isBelow(entry.getKey(), name)) {
                return false;
            }
            if (cover(entry.getValue(), false, listing) || cover(entry.getValue(), true, listing)) {
                return true;
            }
        }
        return false;
    }

    /// The parts of a listed network at which its listing counts.
    List<AddressBlock> splitAround(AddressBlock block, Listing listing) {
        List<AddressBlock> excepted = new ArrayList<>();
        for (Key key : blocks.tailMap(block.bytes(), true).values()) {
            AddressBlock other = AddressBlock.parse(key.text());
            if (!block.contains(other)) {
                break;
            }
            if (cover(key, false, listing)) {
                excepted.add(other);
            }
        }
        List<AddressBlock> parts = new ArrayList<>();
        cut(block, excepted, parts);
        return parts;
    }

    private static void cut(AddressBlock block, List<AddressBlock> excepted, List<AddressBlock> parts) {
        List<AddressBlock> within = excepted.stream().filter(block::contains).toList();
        if (within.isEmpty()) {
            parts.add(block);
        } else if (!within.contains(block)) {
            block.halves().forEach(half -> cut(half, within, parts));
        }
    }
}
