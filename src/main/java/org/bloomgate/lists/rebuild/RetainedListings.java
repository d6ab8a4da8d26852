package org.bloomgate.lists.rebuild;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.format.FeedReader;
import org.bloomgate.lists.layer.KeySource;
import org.bloomgate.lists.layer.PreviousSnapshot;
import org.bloomgate.lists.layer.RebuildStage;
import org.bloomgate.lists.sort.SortBuffer;
import org.bloomgate.lookup.store.ListedFeed;
import org.bloomgate.lookup.store.SortedStore;
import org.bloomgate.lookup.store.StoreCursor;
import org.bloomgate.lookup.store.StoredListings;

/// Adds to the sort the listings of the previous snapshot that a feed's retention keeps, whether the feed still
/// has them or not; if it does, today's reading counts. So filters, store and proof see one stream.
///
/// A listing is retained until the retention has passed since the feed last had it, unless an allow list holds
/// it back.
final class RetainedListings {
    private final FeedReader reader;
    private final LayerRun run;
    private final Map<Since, KeySource> bySince = new HashMap<>();
    private Optional<Instant> until = Optional.empty();

    RetainedListings(FeedReader reader, LayerRun run) {
        this.reader = reader;
        this.run = run;
    }

    /// Listings of one feed that were last seen at the same second.
    private record Since(Feed feed, Match match, long lastSeen) {}

    /// When the first retained listing expires; empty if there is none.
    Optional<Instant> until() {
        return until;
    }

    /// @param feeds of the layer
    /// @throws IOException when the sort cannot be written
    void add(List<Feed> feeds) throws IOException {
        Map<String, Feed> retaining = new HashMap<>();
        feeds.stream().filter(feed -> feed.retention().isPositive()).forEach(feed -> retaining.put(feed.name(), feed));
        Optional<Path> exact = run.previous().exactDirectory();
        if (retaining.isEmpty() || exact.isEmpty()) {
            return;
        }
        run.progress().begin(RebuildStage.READ, "what is retained");
        Optional<SortedStore> opened = open(exact.get());
        if (opened.isPresent()) {
            try (SortedStore store = opened.get()) {
                add(store, retaining);
            }
        }
    }

    private Optional<SortedStore> open(Path exact) {
        try {
            return Optional.of(SortedStore.open(exact));
        } catch (IOException e) {
            run.warn(PreviousSnapshot.warning(String.valueOf(e.getMessage())));
            return Optional.empty();
        }
    }

    private void add(SortedStore store, Map<String, Feed> retaining) throws IOException {
        try (StoreCursor cursor = store.openCursor()) {
            List<Optional<Feed>> byPosition = store.feeds().stream()
                    .map(ListedFeed::name)
                    .map(name -> Optional.ofNullable(retaining.get(name)))
                    .toList();
            while (next(cursor)) {
                add(cursor, store.feeds(), byPosition);
            }
        }
    }

    /// Moves to the next key. If the rest cannot be read, the listings read so far are retained.
    private boolean next(StoreCursor cursor) {
        try {
            return cursor.next();
        } catch (IOException e) {
            run.warn(PreviousSnapshot.warning(String.valueOf(e.getMessage())));
            return false;
        }
    }

    private void add(StoreCursor cursor, List<ListedFeed> feeds, List<Optional<Feed>> byPosition) throws IOException {
        StoredListings listings = cursor.stored();
        for (int i = 0; i < listings.size(); i++) {
            Optional<Feed> feed = byPosition.get(listings.feed(i));
            if (feed.isPresent() && isRetained(feed.get(), cursor, lastSeen(feed.get(), listings.lastSeen(i)))) {
                Since since = new Since(
                        feed.get(),
                        match(feed.get(), feeds.get(listings.feed(i))),
                        lastSeen(feed.get(), listings.lastSeen(i)));
                noteExpiry(since);
                run.sorting()
                        .sort()
                        .add(
                                cursor.kindCode(),
                                cursor.key().bytes(),
                                source(since).number(),
                                listings.count(i));
            }
        }
    }

    /// The match that the feed gives a listing today.
    private static Match match(Feed feed, ListedFeed listed) {
        return listed.match() == Match.BELOW ? Match.BELOW : feed.match();
    }

    /// A listing from the source of a feed is renewed by the confirmation of the snapshot.
    private long lastSeen(Feed feed, long stored) {
        return Math.max(stored, run.previous().findLastKnown(feed.name(), stored));
    }

    private void noteExpiry(Since since) {
        Instant at = Instant.ofEpochSecond(since.lastSeen()).plus(since.feed().retention());
        until = until.filter(earlier -> earlier.isBefore(at)).or(() -> Optional.of(at));
    }

    private boolean isRetained(Feed feed, StoreCursor cursor, long lastSeen) throws IOException {
        return KeyKind.ofWireCode(cursor.kindCode()).stream().anyMatch(feed.kind()::holds)
                && Instant.ofEpochSecond(lastSeen).plus(feed.retention()).isAfter(run.now())
                && !reader.isHeld(feed, cursor.key());
    }

    /// If no source numbers are left, a listing is added to another source of its feed: a wrong time is better
    /// than a lost listing.
    private KeySource source(Since since) throws IOException {
        Optional<KeySource> known = Optional.ofNullable(bySince.get(since));
        if (known.isEmpty() && run.sorting().sources().isFull()) {
            known = bySince.values().stream()
                    .filter(source -> source.feed().equals(since.feed()) && source.match() == since.match())
                    .findFirst();
        }
        if (known.isEmpty() && run.sorting().sources().isFull()) {
            throw new IOException("more than " + SortBuffer.MAX_SOURCE + " feeds and times of last sight in one layer");
        }
        KeySource source = known.orElseGet(() -> run.sorting()
                .sources()
                .addRetained(since.feed(), since.match(), Instant.ofEpochSecond(since.lastSeen())));
        bySince.put(since, source);
        return source;
    }
}
