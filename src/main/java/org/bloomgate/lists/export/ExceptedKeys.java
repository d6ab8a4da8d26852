package org.bloomgate.lists.export;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.core.key.AddressBlock;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.lists.snapshot.ManifestFeed;
import org.bloomgate.lookup.lookup.Listing;
import org.bloomgate.lookup.lookup.ListingException;

/// Finds whether a single listing is excepted for everybody: by its own key, its host or a domain above that, a URL
/// that its URL begins with, or a network around it.
final class ExceptedKeys {
    private final Map<Key, List<ListingException>> exceptions = new HashMap<>();
    private final Map<String, Set<Key>> ofFeeds = new HashMap<>();

    ExceptedKeys(List<ListingException> exceptions, List<ManifestFeed> feeds) {
        exceptions.forEach(one -> this.exceptions
                .computeIfAbsent(one.key(), _ -> new ArrayList<>())
                .add(one));
        feeds.stream()
                .filter(feed -> !feed.exceptions().isEmpty())
                .forEach(feed -> ofFeeds.put(feed.name(), Set.copyOf(feed.exceptions())));
    }

    boolean cover(Listing listing) {
        return ofFeeds.getOrDefault(listing.feed(), Set.of()).contains(listing.key())
                || (!exceptions.isEmpty() && around(listing.key()).stream().anyMatch(key -> covers(key, listing)));
    }

    private boolean covers(Key around, Listing listing) {
        return exceptions.getOrDefault(around, List.of()).stream()
                .anyMatch(
                        one -> (one.match() == Match.SUFFIX || around.equals(listing.key())) && one.overrides(listing));
    }

    private static List<Key> around(Key key) {
        List<Key> around = new ArrayList<>(List.of(key));
        if (key.kind() == KeyKind.NETWORK) {
            AddressBlock block = AddressBlock.parse(key.text());
            for (int bits = 0; bits < block.bits(); bits++) {
                around.add(block.within(bits).key());
            }
        }
        if (key.kind() == KeyKind.URL) {
            String text = key.text();
            for (int slash = text.indexOf('/'); slash >= 0; slash = text.indexOf('/', slash + 1)) {
                around.add(new Key(KeyKind.URL, text.substring(0, slash + 1)));
            }
        }
        Optional<String> host = key.kind().rules().host(key.text());
        for (String name = host.orElse(""); !name.isEmpty(); name = name.substring(name.indexOf('.') + 1)) {
            around.add(new Key(KeyKind.DOMAIN, name));
            if (name.indexOf('.') < 0) {
                break;
            }
        }
        return around;
    }
}
