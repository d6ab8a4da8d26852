package org.bloomgate.lists.layer;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.bloomgate.core.bloom.FilterRefusedException;
import org.bloomgate.core.cidr.RangesRefusedException;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lists.snapshot.SnapshotWriter;
import org.bloomgate.lists.sort.KeyCursor;
import org.bloomgate.lists.sort.SortedKeys;
import org.bloomgate.lookup.store.SortedStore;
import org.bloomgate.lookup.tier.ExactAnswer;
import org.bloomgate.lookup.tier.Listing;

/// Tests the written files, which are opened again as a gateway opens them: every key in its filter, and an
/// evenly spread sample of keys, with all their listings, in the exact store. A snapshot that fails must not be
/// published: a false negative would let listed mail through for as long as the snapshot is used.
public final class Proof {
    /// Keys looked up in the store: enough to detect damage to one block in a thousand almost certainly.
    private static final int STORE_SAMPLE = 10_000;

    private static final int BATCH = 256;
    private static final int TICK = 1 << 14;
    private static final Duration LOOKUP_TIMEOUT = Duration.ofMinutes(10);

    private final SortedKeys keys;
    private final KeyListings listings;
    private long filterKeys;
    private long filterMisses;
    private long storeKeys;
    private long storeMisses;

    /// @param listings combines the sources of a key into listings
    public Proof(SortedKeys keys, KeyListings listings) {
        this.keys = keys;
        this.listings = listings;
    }

    public ProofReport test(SnapshotWriter snapshot, RebuildProgress progress) {
        Optional<String> refusal = Optional.empty();
        try {
            testAll(snapshot, progress);
        } catch (IOException | FilterRefusedException | RangesRefusedException e) {
            refusal = Optional.of(String.valueOf(e.getMessage()));
        }
        return new ProofReport(filterKeys, filterMisses, storeKeys, storeMisses, refusal);
    }

    private void testAll(SnapshotWriter snapshot, RebuildProgress progress)
            throws IOException, FilterRefusedException, RangesRefusedException {
        long stride = Math.max(1, keys.keys() / STORE_SAMPLE);
        List<ExpectedKey> sample = new ArrayList<>();
        try (KeyCursor key = keys.open();
                SortedStore store = SortedStore.open(snapshot.exactDirectory());
                FilterProof filters = new FilterProof(snapshot)) {
            while (key.next()) {
                filters.test(key);
                if (filterKeys % stride == 0) {
                    sample.add(readExpected(key));
                }
                if (sample.size() == BATCH) {
                    testStore(store, sample);
                }
                if (++filterKeys % TICK == 0) {
                    progress.advance(filterKeys, keys.keys());
                }
            }
            testStore(store, sample);
            filterMisses = filters.countMisses();
        }
    }

    /// A listing as it should be stored, without its first sight.
    private record ExpectedListing(String feed, Instant lastSeen, long count) {}

    private record ExpectedKey(Key key, Set<ExpectedListing> listings) {}

    private ExpectedKey readExpected(KeyCursor cursor) {
        Set<ExpectedListing> expected = new HashSet<>();
        listings.set(cursor);
        for (int i = 0; i < listings.size(); i++) {
            Instant lastSeen = Instant.ofEpochSecond(listings.lastSeen(i));
            expected.add(new ExpectedListing(listings.feedName(i), lastSeen, listings.count(cursor, i)));
        }
        KeyKind kind = KeyKind.ofWireCode(cursor.kindCode()).orElseThrow();
        return new ExpectedKey(Key.ofBytes(kind, cursor.bytes(), 1, cursor.end() - 1), expected);
    }

    private void testStore(SortedStore store, List<ExpectedKey> sample) {
        List<ExactAnswer> answers =
                store.lookup(sample.stream().map(ExpectedKey::key).toList(), LOOKUP_TIMEOUT);
        for (int i = 0; i < sample.size(); i++) {
            storeKeys++;
            if (!confirms(answers.get(i), sample.get(i))) {
                storeMisses++;
            }
        }
        sample.clear();
    }

    private static boolean confirms(ExactAnswer answer, ExpectedKey expected) {
        return switch (answer) {
            case ExactAnswer.Listed listed ->
                listed.listings().stream()
                                .noneMatch(listing -> listing.firstSeen().isAfter(listing.lastSeen()))
                        && expected.listings().equals(toExpected(listed.listings()));
            case ExactAnswer.NotListed _, ExactAnswer.Unknown _ -> false;
        };
    }

    /// Stored listings in the form of expected ones.
    private static Set<ExpectedListing> toExpected(List<Listing> listings) {
        return listings.stream()
                .map(listing -> new ExpectedListing(listing.feed(), listing.lastSeen(), listing.count()))
                .collect(Collectors.toSet());
    }
}
