package org.bloomgate.exact;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.bloomgate.key.Key;
import org.bloomgate.key.KeyKind;
import org.bloomgate.verdict.Listing;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;

/// Walks the keys of a store, or of a range of it, in ascending order. Reads around the filters in the tables. Not
/// thread-safe; the store must stay open until the cursor is closed.
public final class StoreCursor implements AutoCloseable {
    private final FeedDictionary dictionary;
    private final Slice end;
    private final ReadOptions options;
    private final RocksIterator iterator;
    private final StoredListings listings = new StoredListings();
    private byte[] key = new byte[256];
    private byte[] value = new byte[256];
    private int keyLength;
    private int valueLength;
    private boolean started;

    /// @param from whole store key to begin at
    /// @param to whole store key to end before; empty for the end of the store
    StoreCursor(RocksDB database, FeedDictionary dictionary, byte[] from, byte[] to) {
        this.dictionary = dictionary;
        end = new Slice(to);
        options = new ReadOptions();
        if (to.length > 0) {
            options.setIterateUpperBound(end);
        }
        iterator = database.newIterator(options);
        iterator.seek(from);
    }

    /// Moves to the next key; false after the last one.
    ///
    /// @throws MalformedStoreException when a key or value is not what a writer writes
    public boolean next() throws IOException {
        if (started) {
            iterator.next();
        }
        started = true;
        if (!iterator.isValid()) {
            try {
                iterator.status();
            } catch (RocksDBException e) {
                throw new IOException("exact store: " + e.getMessage(), e);
            }
            return false;
        }
        readKey();
        readValue();
        return true;
    }

    private void readKey() {
        keyLength = iterator.key(key);
        if (keyLength > key.length) {
            key = new byte[keyLength * 2];
            keyLength = iterator.key(key);
        }
    }

    private void readValue() throws MalformedStoreException {
        valueLength = iterator.value(value);
        if (valueLength > value.length) {
            value = new byte[valueLength * 2];
            valueLength = iterator.value(value);
        }
        listings.decode(ByteBuffer.wrap(value, 0, valueLength), dictionary.size());
    }

    /// [KeyKind#wireCode()] of the key.
    public int kindCode() {
        return key[0] & 0xff;
    }

    /// The buffer that holds the key's octets from 1 to [#end()]; valid until [#next()].
    public byte[] octets() {
        return key;
    }

    public int end() {
        return keyLength;
    }

    /// Compares the key with another one, in the order of the store.
    ///
    /// @return negative, zero or positive as the cursor's key is before, at or after the other
    public int compareTo(int kindCode, byte[] octets, int from, int to) {
        int byKind = Integer.compare(kindCode(), kindCode);
        return byKind != 0 ? byKind : Arrays.compareUnsigned(key, 1, keyLength, octets, from, to);
    }

    /// The listings of the key; valid until [#next()].
    public StoredListings stored() {
        return listings;
    }

    /// The feeds that [#stored()] refers to.
    public List<ListedFeed> feeds() {
        return dictionary.feeds();
    }

    /// The octets of the key as [StoreKey] makes them.
    public byte[] storeKey() {
        return Arrays.copyOf(key, keyLength);
    }

    /// The octets of its listings, which [FeedDictionary#listings] reads.
    public byte[] value() {
        return Arrays.copyOf(value, valueLength);
    }

    /// The key as a value.
    ///
    /// @throws MalformedStoreException when the key is of no known kind
    public Key key() throws MalformedStoreException {
        KeyKind kind = KeyKind.ofWireCode(kindCode())
                .orElseThrow(() -> new MalformedStoreException("key of unknown kind " + kindCode()));
        return Key.ofOctets(kind, key, 1, keyLength - 1);
    }

    /// The listings as values.
    public List<Listing> listings() throws MalformedStoreException {
        return listings.toListings(key(), dictionary);
    }

    @Override
    public void close() {
        iterator.close();
        options.close();
        end.close();
    }
}
