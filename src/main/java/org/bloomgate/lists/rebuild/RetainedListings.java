package org.bloomgate.lists.rebuild;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lists.build.KeySource;
import org.bloomgate.lists.build.PreviousSnapshot;
import org.bloomgate.lists.build.RebuildStage;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.format.FeedReader;
import org.bloomgate.lists.sort.SortBuffer;
import org.bloomgate.lookup.store.ListedFeed;
import org.bloomgate.lookup.store.SortedStore;
import org.bloomgate.lookup.store.StoreCursor;
import org.bloomgate.lookup.store.StoredListings;

/// Adds to the sort what the snapshot before listed and a feed's retention keeps, whether the feed still holds
/// it or not: where it does, today's reading counts. So filters, store and proof see one stream.
///
/// A listing lives on until its retention has passed since the feed was last known to hold it, unless an allow
/// list holds it back meanwhile.
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
    private record Since(Feed feed, long lastSeen) {}

    /// When the first of what was added expires.
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
            return Optional.of(run.stores().open(exact));
        } catch (IOException e) {
            run.warnings().add(PreviousSnapshot.warning(String.valueOf(e.getMessage())));
            return Optional.empty();
        }
    }

    private void add(SortedStore store, Map<String, Feed> retaining) throws IOException {
        try (StoreCursor cursor = store.cursor()) {
            List<Optional<Feed>> byPosition = store.feeds().stream()
                    .map(ListedFeed::name)
                    .map(name -> Optional.ofNullable(retaining.get(name)))
                    .toList();
            while (goesOn(cursor)) {
                add(cursor, byPosition);
            }
        }
    }

    /// Listings retained before the break stay.
    private boolean goesOn(StoreCursor cursor) {
        try {
            return cursor.next();
        } catch (IOException e) {
            run.warnings().add(PreviousSnapshot.warning(String.valueOf(e.getMessage())));
            return false;
        }
    }

    private void add(StoreCursor cursor, List<Optional<Feed>> byPosition) throws IOException {
        StoredListings listings = cursor.stored();
        for (int i = 0; i < listings.size(); i++) {
            Optional<Feed> feed = byPosition.get(listings.feed(i));
            if (feed.isPresent() && lives(feed.get(), cursor, lastSeen(feed.get(), listings.lastSeen(i)))) {
                Since since = new Since(feed.get(), lastSeen(feed.get(), listings.lastSeen(i)));
                expires(since);
                run.sort()
                        .add(
                                cursor.kindCode(),
                                cursor.key().bytes(),
                                source(since).number(),
                                listings.count(i));
            }
        }
    }

    /// A feed that had an entry when the snapshot was made had it until the snapshot was last confirmed.
    private long lastSeen(Feed feed, long stored) {
        return Math.max(stored, run.previous().heldUntil(feed.name(), stored));
    }

    private void expires(Since since) {
        Instant at = Instant.ofEpochSecond(since.lastSeen()).plus(since.feed().retention());
        until = until.filter(earlier -> earlier.isBefore(at)).or(() -> Optional.of(at));
    }

    private boolean lives(Feed feed, StoreCursor cursor, long lastSeen) throws IOException {
        return KeyKind.ofWireCode(cursor.kindCode()).stream().anyMatch(feed.kind()::holds)
                && Instant.ofEpochSecond(lastSeen).plus(feed.retention()).isAfter(run.now())
                && !reader.isHeld(feed, cursor.key());
    }

    /// When there are no numbers left, a listing goes with others of its feed, whatever their time: better a
    /// wrong time than a listing lost.
    private KeySource source(Since since) throws IOException {
        Optional<KeySource> known = Optional.ofNullable(bySince.get(since));
        if (known.isEmpty() && run.sources().isFull()) {
            known = bySince.values().stream()
                    .filter(source -> source.feed().equals(since.feed()))
                    .findFirst();
        }
        if (known.isEmpty() && run.sources().isFull()) {
            throw new IOException("more than " + SortBuffer.MAX_SOURCE + " feeds and times of last sight in one layer");
        }
        KeySource source =
                known.orElseGet(() -> run.sources().retained(since.feed(), Instant.ofEpochSecond(since.lastSeen())));
        bySince.put(since, source);
        return source;
    }
}
