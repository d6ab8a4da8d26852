package org.bloomgate.lookup.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;

/// The cursor over a RocksDB store. It does not use the filters in the tables.
final class RocksCursor implements StoreCursor {
    private static final int NONE = -1;

    private final FeedDictionary dictionary;
    private final Slice end;
    private final ReadOptions options;
    private final RocksIterator iterator;
    private final StoredListings listings = new StoredListings();
    private byte[] key = new byte[256];
    private byte[] value = new byte[256];
    private byte[] spareValue = new byte[256];
    private int keyLength;
    private int valueLength = NONE;
    private boolean hasStarted;

    /// @param from the store key to begin at
    /// @param to the store key to end before; empty for the end of the store
    RocksCursor(RocksDB database, FeedDictionary dictionary, byte[] from, byte[] to) {
        this.dictionary = dictionary;
        end = new Slice(to);
        options = new ReadOptions();
        if (to.length > 0) {
            options.setIterateUpperBound(end);
        }
        iterator = database.newIterator(options);
        iterator.seek(from);
    }

    @Override
    public boolean next() throws IOException {
        if (hasStarted) {
            iterator.next();
        }
        hasStarted = true;
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

    /// Reads the listings, unless they are equal to those of the key before, as they are for most keys.
    private void readValue() throws MalformedStoreException {
        int length = iterator.value(spareValue);
        if (length > spareValue.length) {
            spareValue = new byte[length * 2];
            length = iterator.value(spareValue);
        }
        if (length != valueLength || !Arrays.equals(value, 0, length, spareValue, 0, length)) {
            valueLength = NONE;
            listings.decode(ByteBuffer.wrap(spareValue, 0, length), dictionary.size());
            byte[] previousValue = value;
            value = spareValue;
            spareValue = previousValue;
            valueLength = length;
        }
    }

    @Override
    public byte[] bytes() {
        return key;
    }

    @Override
    public int end() {
        return keyLength;
    }

    @Override
    public StoredListings stored() {
        return listings;
    }

    @Override
    public byte[] value() {
        return Arrays.copyOf(value, valueLength);
    }

    @Override
    public void close() {
        iterator.close();
        options.close();
        end.close();
    }
}
