package org.bloomgate.lookup.store;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Use;
import org.bloomgate.lookup.tier.Listing;

/// The feeds of a store by position, stored together with the listings that refer to them and the version of
/// the value format: inside the embedded store under a reserved key.
///
/// Bytes: format version, number of feeds, then for each feed its name and category (length and UTF-8), the wire
/// code of its match and the sum of the bits of its uses; all numbers are [Varint]s.
public record FeedDictionary(List<ListedFeed> feeds) {
    /// Version of everything in the store: keys, values and this dictionary.
    static final int FORMAT_VERSION = 1;

    /// Far above any installation; bounds what a damaged dictionary can make a reader allocate.
    static final int MAX_FEEDS = 4096;

    /// Longest name or category in bytes.
    static final int MAX_TEXT_BYTES = 255;

    public FeedDictionary {
        feeds = List.copyOf(feeds);
        if (feeds.size() > MAX_FEEDS) {
            throw new IllegalArgumentException("more than " + MAX_FEEDS + " feeds in one store");
        }
    }

    int size() {
        return feeds.size();
    }

    public byte[] encode() {
        ByteBuffer to = ByteBuffer.allocate(64 + feeds.size() * (2 * MAX_TEXT_BYTES + 16));
        Varint.put(to, FORMAT_VERSION);
        Varint.put(to, feeds.size());
        for (ListedFeed feed : feeds) {
            putText(to, feed.name());
            putText(to, feed.category());
            Varint.put(to, feed.match().wireCode());
            Varint.put(to, feed.uses().stream().mapToInt(Use::bit).sum());
        }
        byte[] bytes = new byte[to.position()];
        to.get(0, bytes);
        return bytes;
    }

    /// @throws MalformedStoreException when the bytes are damaged or of another version
    public static FeedDictionary decode(byte[] bytes) throws MalformedStoreException {
        ByteBuffer from = ByteBuffer.wrap(bytes);
        long version = Varint.get(from, "format version");
        if (version != FORMAT_VERSION) {
            throw new MalformedStoreException(
                    "format version " + version + ", this program reads version " + FORMAT_VERSION);
        }
        long count = Varint.get(from, "number of feeds");
        if (count > MAX_FEEDS) {
            throw new MalformedStoreException("number of feeds " + count + " is above " + MAX_FEEDS);
        }
        List<ListedFeed> feeds = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            feeds.add(new ListedFeed(getText(from, "feed name"), getText(from, "category"), match(from), uses(from)));
        }
        if (from.hasRemaining()) {
            throw new MalformedStoreException(from.remaining() + " bytes after the last feed");
        }
        return new FeedDictionary(feeds);
    }

    /// The listings of a key.
    ///
    /// @param value as [StoredListings] keeps it
    /// @throws MalformedStoreException when the value is damaged or refers to feeds that are not here
    public List<Listing> listings(Key key, byte[] value) throws MalformedStoreException {
        StoredListings listings = new StoredListings();
        listings.decode(ByteBuffer.wrap(value), size());
        return listings.toListings(key, this);
    }

    private static Match match(ByteBuffer from) throws MalformedStoreException {
        long code = Varint.get(from, "match");
        for (Match match : Match.values()) {
            if (match.wireCode() == code) {
                return match;
            }
        }
        throw new MalformedStoreException("unknown match " + code);
    }

    private static Set<Use> uses(ByteBuffer from) throws MalformedStoreException {
        long bits = Varint.get(from, "uses");
        Set<Use> uses = new HashSet<>();
        long left = bits;
        for (Use use : Use.values()) {
            if ((bits & use.bit()) != 0) {
                uses.add(use);
                left -= use.bit();
            }
        }
        if (left != 0) {
            throw new MalformedStoreException("unknown uses " + bits);
        }
        return uses;
    }

    private static void putText(ByteBuffer to, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > MAX_TEXT_BYTES) {
            throw new IllegalArgumentException("longer than " + MAX_TEXT_BYTES + " bytes: " + text);
        }
        Varint.put(to, bytes.length);
        to.put(bytes);
    }

    private static String getText(ByteBuffer from, String what) throws MalformedStoreException {
        long length = Varint.get(from, what);
        if (length > MAX_TEXT_BYTES || length > from.remaining()) {
            throw new MalformedStoreException(what + ": length " + length + " is beyond its bound");
        }
        ByteBuffer text = from.slice(from.position(), (int) length);
        from.position(from.position() + (int) length);
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(text).toString();
        } catch (CharacterCodingException e) {
            throw new MalformedStoreException(what + ": not UTF-8");
        }
    }
}
