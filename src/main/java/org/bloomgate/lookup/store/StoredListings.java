package org.bloomgate.lookup.store;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bloomgate.core.key.Key;
import org.bloomgate.lookup.tier.Listing;

/// The listings of one key as they are stored, at most one of each feed. Reused from key to key, so that writing and
/// merging millions of keys allocates no object for each key. Not thread-safe.
///
/// Bytes: for each listing, in ascending order of feeds, the feed's position in the store's dictionary, first seen
/// as seconds since 1970, last seen as seconds after first seen, and the count; all numbers are [Varint]s.
public final class StoredListings {
    /// The last second of the year 9999: a later time means that the store is damaged.
    private static final long MAX_EPOCH_SECOND = 253_402_300_799L;

    private int[] feeds = new int[4];
    private long[] firstSeen = new long[4];
    private long[] lastSeen = new long[4];
    private long[] counts = new long[4];
    private int size;

    public void clear() {
        size = 0;
    }

    /// Adds the listing of a feed, which must come after all feeds added since [#clear()].
    ///
    /// @param feed position in the store's dictionary
    /// @param firstSeen in seconds since 1970
    /// @param lastSeen in seconds since 1970, not before `firstSeen`
    public void add(int feed, long firstSeen, long lastSeen, long count) {
        if ((size > 0 && feed <= feeds[size - 1]) || firstSeen < 0 || lastSeen < firstSeen || count < 0) {
            throw new IllegalArgumentException(
                    "listing out of order: feed " + feed + ", seen " + firstSeen + ".." + lastSeen + ", " + count);
        }
        if (size == feeds.length) {
            feeds = Arrays.copyOf(feeds, size * 2);
            this.firstSeen = Arrays.copyOf(this.firstSeen, size * 2);
            this.lastSeen = Arrays.copyOf(this.lastSeen, size * 2);
            counts = Arrays.copyOf(counts, size * 2);
        }
        feeds[size] = feed;
        this.firstSeen[size] = firstSeen;
        this.lastSeen[size] = lastSeen;
        counts[size++] = count;
    }

    public int size() {
        return size;
    }

    /// Position of the feed in the store's dictionary.
    public int feed(int listing) {
        return feeds[listing];
    }

    /// Seconds since 1970.
    public long firstSeen(int listing) {
        return firstSeen[listing];
    }

    /// Seconds since 1970.
    public long lastSeen(int listing) {
        return lastSeen[listing];
    }

    public long count(int listing) {
        return counts[listing];
    }

    /// The highest count of any feed, 0 if no feed has counts.
    public long highestCount() {
        long highest = 0;
        for (int i = 0; i < size; i++) {
            highest = Math.max(highest, counts[i]);
        }
        return highest;
    }

    /// Replaces the listings by copies of other listings.
    public void copyFrom(StoredListings other) {
        if (feeds.length < other.size) {
            feeds = new int[other.feeds.length];
            firstSeen = new long[feeds.length];
            lastSeen = new long[feeds.length];
            counts = new long[feeds.length];
        }
        size = other.size;
        System.arraycopy(other.feeds, 0, feeds, 0, size);
        System.arraycopy(other.firstSeen, 0, firstSeen, 0, size);
        System.arraycopy(other.lastSeen, 0, lastSeen, 0, size);
        System.arraycopy(other.counts, 0, counts, 0, size);
    }

    public boolean isSameAs(StoredListings other) {
        if (size != other.size) {
            return false;
        }
        for (int i = 0; i < size; i++) {
            if (feeds[i] != other.feeds[i]
                    || firstSeen[i] != other.firstSeen[i]
                    || lastSeen[i] != other.lastSeen[i]
                    || counts[i] != other.counts[i]) {
                return false;
            }
        }
        return true;
    }

    /// The most bytes that [#encode] needs.
    int maxBytes() {
        return size * 4 * Varint.MAX_BYTES;
    }

    void encode(ByteBuffer out) {
        for (int i = 0; i < size; i++) {
            Varint.write(out, feeds[i]);
            Varint.write(out, firstSeen[i]);
            Varint.write(out, lastSeen[i] - firstSeen[i]);
            Varint.write(out, counts[i]);
        }
    }

    /// Replaces the listings by the encoded listings.
    ///
    /// @param feedCount number of feeds in the store's dictionary
    void decode(ByteBuffer in, int feedCount) throws MalformedStoreException {
        clear();
        if (!in.hasRemaining()) {
            throw new MalformedStoreException("no listing");
        }
        while (in.hasRemaining()) {
            long feed = Varint.read(in, "feed");
            long firstSeconds = Varint.read(in, "first seen");
            long seconds = Varint.read(in, "last seen");
            long count = Varint.read(in, "count");
            if (feed >= feedCount) {
                throw new MalformedStoreException("feed " + feed + " of " + feedCount);
            }
            if (size > 0 && feed <= feeds[size - 1]) {
                throw new MalformedStoreException("feed " + feed + " after feed " + feeds[size - 1]);
            }
            if (firstSeconds > MAX_EPOCH_SECOND || seconds > MAX_EPOCH_SECOND - firstSeconds) {
                throw new MalformedStoreException("seen after the year 9999");
            }
            add((int) feed, firstSeconds, firstSeconds + seconds, count);
        }
    }

    List<Listing> toListings(Key key, FeedDictionary dictionary) {
        List<Listing> listings = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            ListedFeed feed = dictionary.feeds().get(feeds[i]);
            listings.add(new Listing(
                    feed.name(),
                    feed.category(),
                    key,
                    feed.match(),
                    feed.uses(),
                    Instant.ofEpochSecond(firstSeen[i]),
                    Instant.ofEpochSecond(lastSeen[i]),
                    counts[i]));
        }
        return listings;
    }
}
