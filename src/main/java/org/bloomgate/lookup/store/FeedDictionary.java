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

    /// The most feeds, far above any installation: bounds the memory that a damaged dictionary can make a reader
    /// allocate.
    static final int MAX_FEEDS = 4096;

    /// The most bytes of a name or category.
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
        ByteBuffer out = ByteBuffer.allocate(64 + feeds.size() * (2 * MAX_TEXT_BYTES + 16));
        Varint.write(out, FORMAT_VERSION);
        Varint.write(out, feeds.size());
        for (ListedFeed feed : feeds) {
            writeText(out, feed.name());
            writeText(out, feed.category());
            Varint.write(out, feed.match().wireCode());
            Varint.write(out, feed.uses().stream().mapToInt(Use::bit).sum());
        }
        byte[] bytes = new byte[out.position()];
        out.get(0, bytes);
        return bytes;
    }

    /// @throws MalformedStoreException when the bytes are damaged or of another version
    public static FeedDictionary decode(byte[] bytes) throws MalformedStoreException {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        long version = Varint.read(in, "format version");
        if (version != FORMAT_VERSION) {
            throw new MalformedStoreException(
                    "format version " + version + ", this program reads version " + FORMAT_VERSION);
        }
        long count = Varint.read(in, "number of feeds");
        if (count > MAX_FEEDS) {
            throw new MalformedStoreException("number of feeds " + count + " is above " + MAX_FEEDS);
        }
        List<ListedFeed> feeds = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            feeds.add(new ListedFeed(readText(in, "feed name"), readText(in, "category"), readMatch(in), readUses(in)));
        }
        if (in.hasRemaining()) {
            throw new MalformedStoreException(in.remaining() + " bytes after the last feed");
        }
        return new FeedDictionary(feeds);
    }

    /// Returns the listings of a key.
    ///
    /// @param value as [StoredListings] encodes it
    /// @throws MalformedStoreException when the value is damaged or refers to feeds that are not here
    public List<Listing> decodeListings(Key key, byte[] value) throws MalformedStoreException {
        StoredListings listings = new StoredListings();
        listings.decode(ByteBuffer.wrap(value), size());
        return listings.toListings(key, this);
    }

    private static Match readMatch(ByteBuffer from) throws MalformedStoreException {
        long code = Varint.read(from, "match");
        for (Match match : Match.values()) {
            if (match.wireCode() == code) {
                return match;
            }
        }
        throw new MalformedStoreException("unknown match " + code);
    }

    private static Set<Use> readUses(ByteBuffer from) throws MalformedStoreException {
        long bits = Varint.read(from, "uses");
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

    private static void writeText(ByteBuffer to, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > MAX_TEXT_BYTES) {
            throw new IllegalArgumentException("longer than " + MAX_TEXT_BYTES + " bytes: " + text);
        }
        Varint.write(to, bytes.length);
        to.put(bytes);
    }

    private static String readText(ByteBuffer from, String what) throws MalformedStoreException {
        long length = Varint.read(from, what);
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
