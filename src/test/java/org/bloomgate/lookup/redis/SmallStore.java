package org.bloomgate.lookup.redis;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Use;
import org.bloomgate.lookup.store.ExactPublisher;
import org.bloomgate.lookup.store.ListedFeed;
import org.bloomgate.lookup.store.StoreWriter;
import org.bloomgate.lookup.store.StoredListings;
import org.bloomgate.lookup.tier.Listing;

/// An exact store of domains, each listed by one of two feeds or by both.
record SmallStore(ExactPublisher.Built built, List<String> domains) {
    static final Instant SEEN = Instant.ofEpochSecond(1_700_000_000L);
    static final List<ListedFeed> FEEDS = List.of(
            new ListedFeed("phish", "phishing", Match.SUFFIX, Set.of(Use.LINK)),
            new ListedFeed("bad", "malware", Match.EXACT, Set.of(Use.SENDER)));

    static SmallStore write(Path folder, String generation, int domains) throws IOException {
        TreeSet<String> names = new TreeSet<>();
        for (int i = 0; i < domains; i++) {
            String name = "listed-" + i + ".example";
            names.add(i % 5 == 0 ? "a-name-beyond-thirty-three-octets." + name : name);
        }
        Path directory = folder.resolve("exact-" + generation);
        try (StoreWriter writer = StoreWriter.create(directory, FEEDS)) {
            for (String name : names) {
                byte[] bytes = new Key(KeyKind.DOMAIN, name).bytes();
                writer.put(KeyKind.DOMAIN, bytes, 0, bytes.length, listings(name));
            }
            writer.finish();
        }
        return new SmallStore(
                new ExactPublisher.Built("nightly", generation, directory, names.size()), List.copyOf(names));
    }

    private static StoredListings listings(String name) {
        StoredListings listings = new StoredListings();
        for (int feed = 0; feed < FEEDS.size(); feed++) {
            if (lists(feed, name)) {
                listings.add(feed, SEEN.getEpochSecond(), SEEN.getEpochSecond() + 60, 0);
            }
        }
        return listings;
    }

    private static boolean lists(int feed, String name) {
        return feed == 0 || name.length() % 2 == 0;
    }

    static List<Listing> listings(Key key) {
        return FEEDS.stream()
                .filter(feed -> lists(FEEDS.indexOf(feed), key.text()))
                .map(feed -> new Listing(
                        feed.name(), feed.category(), key, feed.match(), feed.uses(), SEEN, SEEN.plusSeconds(60), 0))
                .toList();
    }

    List<Key> listed() {
        return domains.stream().map(name -> new Key(KeyKind.DOMAIN, name)).toList();
    }

    /// Keys that are not listed, as many as asked for.
    static List<Key> strangers(int count) {
        return java.util.stream.IntStream.range(0, count)
                .mapToObj(i -> new Key(KeyKind.DOMAIN, "stranger-" + i + ".example"))
                .toList();
    }
}
