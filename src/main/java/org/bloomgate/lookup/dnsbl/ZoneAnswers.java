package org.bloomgate.lookup.dnsbl;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// What the addresses of a zone mean for a feed.
///
/// @param category of the feed; without `addresses` and `bits`, 127.0.0.2 to 127.0.0.255 mean this category
/// @param addresses categories by dotted address
/// @param bits categories by a bit of the last byte; not together with `addresses`
public record ZoneAnswers(String category, Map<String, String> addresses, Map<Integer, String> bits) {
    private static final Pattern PLAIN = Pattern.compile("127\\.0\\.0\\.[0-9]+");

    public ZoneAnswers {
        addresses = Map.copyOf(addresses);
        bits = Map.copyOf(bits);
    }

    /// All possible categories of a listing.
    Set<String> categories() {
        Set<String> all = new TreeSet<>(addresses.values());
        all.addAll(bits.values());
        return all.isEmpty() ? Set.of(category) : all;
    }

    /// The categories of an address of a listing; empty if it has no meaning.
    Set<String> categoriesOf(String address) {
        if (!bits.isEmpty()) {
            int last = PLAIN.matcher(address).matches() ? Integer.parseInt(address.substring("127.0.0.".length())) : 0;
            Set<String> categories = new TreeSet<>();
            bits.forEach((bit, meaning) -> {
                if ((last & bit) != 0) {
                    categories.add(meaning);
                }
            });
            return categories;
        }
        if (addresses.isEmpty()) {
            return PLAIN.matcher(address).matches() ? Set.of(category) : Set.of();
        }
        return addresses.containsKey(address) ? Set.of(addresses.get(address)) : Set.of();
    }
}
