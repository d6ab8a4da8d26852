package org.bloomgate.lists.build;

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
import org.bloomgate.lookup.lookup.ExactAnswer;
import org.bloomgate.lookup.lookup.Listing;
import org.bloomgate.lookup.store.SortedStore;
import org.bloomgate.lookup.store.SortedStores;

/// Asks the files that were written, opened again as a gateway would open them: every key of its filter, and
/// keys evenly spread of the exact store with all that their listings say. A snapshot that fails must not be
/// published: a false negative would let a listed thing through for ever.
public final class Proof {
    /// Keys looked up in the store: enough to detect damage to one block in a thousand almost certainly.
    private static final int STORE_SAMPLE = 10_000;

    private static final int BATCH = 256;
    private static final int TICK = 1 << 14;
    private static final Duration NO_HURRY = Duration.ofMinutes(10);

    private final SortedKeys keys;
    private final KeyListings listings;
    private final SortedStores stores;
    private long filterKeys;
    private long filterMisses;
    private long storeKeys;
    private long storeMisses;

    /// @param listings of the keys
    public Proof(SortedKeys keys, KeyListings listings, SortedStores stores) {
        this.keys = keys;
        this.listings = listings;
        this.stores = stores;
    }

    public ProofReport ask(SnapshotWriter snapshot, RebuildProgress progress) {
        Optional<String> refusal = Optional.empty();
        try {
            askAll(snapshot, progress);
        } catch (IOException | FilterRefusedException | RangesRefusedException e) {
            refusal = Optional.of(String.valueOf(e.getMessage()));
        }
        return new ProofReport(filterKeys, filterMisses, storeKeys, storeMisses, refusal);
    }

    private void askAll(SnapshotWriter snapshot, RebuildProgress progress)
            throws IOException, FilterRefusedException, RangesRefusedException {
        long stride = Math.max(1, keys.keys() / STORE_SAMPLE);
        List<Expected> sample = new ArrayList<>();
        try (KeyCursor key = keys.open();
                SortedStore store = stores.open(snapshot.exactDirectory());
                FilterProof filters = new FilterProof(snapshot)) {
            while (key.next()) {
                filters.ask(key);
                if (filterKeys % stride == 0) {
                    sample.add(expected(key));
                }
                if (sample.size() == BATCH) {
                    askStore(store, sample);
                }
                if (++filterKeys % TICK == 0) {
                    progress.advance(filterKeys, keys.keys());
                }
            }
            askStore(store, sample);
            filterMisses = filters.misses();
        }
    }

    /// A listing as it was written, but for its first sight.
    private record ExplicitSetting(String feed, Instant lastSeen, long count) {}

    private record Expected(Key key, Set<ExplicitSetting> listings) {}

    private Expected expected(KeyCursor cursor) {
        Set<ExplicitSetting> written = new HashSet<>();
        listings.take(cursor);
        for (int i = 0; i < listings.size(); i++) {
            Instant lastSeen = Instant.ofEpochSecond(listings.lastSeen(i));
            written.add(new ExplicitSetting(listings.feedName(i), lastSeen, listings.count(cursor, i)));
        }
        KeyKind kind = KeyKind.ofWireCode(cursor.kindCode()).orElseThrow();
        return new Expected(Key.ofBytes(kind, cursor.bytes(), 1, cursor.end() - 1), written);
    }

    private void askStore(SortedStore store, List<Expected> sample) {
        List<ExactAnswer> answers =
                store.lookup(sample.stream().map(Expected::key).toList(), NO_HURRY);
        for (int i = 0; i < sample.size(); i++) {
            storeKeys++;
            if (!confirms(answers.get(i), sample.get(i))) {
                storeMisses++;
            }
        }
        sample.clear();
    }

    private static boolean confirms(ExactAnswer answer, Expected expected) {
        return switch (answer) {
            case ExactAnswer.Listed listed ->
                listed.listings().stream()
                                .noneMatch(listing -> listing.firstSeen().isAfter(listing.lastSeen()))
                        && expected.listings().equals(written(listed.listings()));
            case ExactAnswer.NotListed _, ExactAnswer.Unknown _ -> false;
        };
    }

    private static Set<ExplicitSetting> written(List<Listing> listings) {
        return listings.stream()
                .map(listing -> new ExplicitSetting(listing.feed(), listing.lastSeen(), listing.count()))
                .collect(Collectors.toSet());
    }
}
