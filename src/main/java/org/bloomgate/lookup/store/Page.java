package org.bloomgate.lookup.store;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/// Walks the entries of a page: keys with listings, or the separators of an index with [PageReference]s. A separator
/// is above every key of its page, and not above the first key of the next page. Not thread-safe.
///
/// Its bytes are the entries, then the offset of each restart, the number of restarts (four bytes each, little endian)
/// and the checksum (eight bytes, little endian). An entry is the number of bytes that its key shares with the key
/// before, the number of its other bytes, these bytes, the length of the value and the value; numbers are [Varint]s.
/// The length 0 means the value of the entry before. Every 16th entry is a restart: it shares nothing.
final class Page {
    /// Holds the longest key with listings of all feeds that a store may have.
    static final int MAX_BYTES = 256 << 10;

    private static final int NONE = -1;

    private final String name;
    private final ByteBuffer entries;
    private final ByteBuffer restarts;
    private int position;
    private byte[] key = new byte[128];
    private int keyLength;
    private int valueFrom = NONE;
    private int valueTo;

    /// True if the next entry was read already.
    private boolean isAhead;

    private Page(String name, ByteBuffer entries, ByteBuffer restarts) {
        this.name = name;
        this.entries = entries;
        this.restarts = restarts;
    }

    /// A page without entries.
    static Page empty() {
        return new Page("", ByteBuffer.allocate(0), ByteBuffer.allocate(0));
    }

    /// Begins before the first entry of a page whose checksum is not verified.
    ///
    /// @param page its bytes from the position on; they are kept
    static Page of(ByteBuffer page, String name) throws MalformedStoreException {
        ByteBuffer bytes = page.slice().order(ByteOrder.LITTLE_ENDIAN);
        int end = bytes.limit() - Long.BYTES - Integer.BYTES;
        int count = end < 0 ? -1 : bytes.getInt(end);
        if (count < 0 || count > end / Integer.BYTES) {
            throw new MalformedStoreException(name + ": " + count + " restarts in " + bytes.limit() + " bytes");
        }
        int entriesEnd = end - count * Integer.BYTES;
        ByteBuffer restarts = bytes.slice(entriesEnd, end - entriesEnd).order(ByteOrder.LITTLE_ENDIAN);
        return new Page(name, bytes.slice(0, entriesEnd), restarts);
    }

    /// Begins before the first entry of a page.
    ///
    /// @throws MalformedStoreException if the page is damaged, or another one
    static Page of(byte[] page, PageReference reference) throws MalformedStoreException {
        String name = "page at " + reference.offset();
        int end = page.length - Long.BYTES;
        ByteBuffer bytes = ByteBuffer.wrap(page).order(ByteOrder.LITTLE_ENDIAN);
        if (end < 0 || bytes.getLong(end) != PageReference.checksum(page, end, reference.offset())) {
            throw new MalformedStoreException(name + ": wrong checksum");
        }
        return of(bytes, name);
    }

    /// The same page, before its first entry.
    Page reopen() {
        return new Page(name, entries.duplicate(), restarts);
    }

    int memoryBytes() {
        return entries.capacity() + restarts.capacity() + key.length;
    }

    /// Moves to the next entry; false after the last one.
    ///
    /// @throws MalformedStoreException if the entry is damaged, or not above the one before
    boolean next() throws MalformedStoreException {
        if (isAhead) {
            isAhead = false;
            return true;
        }
        entries.position(position);
        if (!entries.hasRemaining()) {
            return false;
        }
        int shared = readNumber(keyLength, "shared bytes");
        int length = readNumber(StoreKey.MAX_BYTES - shared, "key");
        int from = skip(length, "key");
        int valueBytes = readNumber(MAX_BYTES, "value");
        int value = skip(valueBytes, "value");
        if (valueFrom == NONE ? valueBytes == 0 : compareRest(shared, from, length) >= 0) {
            throw createException(valueFrom == NONE ? "no value" : "keys out of order");
        }
        if (shared + length > key.length) {
            key = Arrays.copyOf(key, 2 * (shared + length));
        }
        entries.get(from, key, shared, length);
        keyLength = shared + length;
        if (valueBytes > 0) {
            valueFrom = value;
            valueTo = value + valueBytes;
        }
        position = entries.position();
        return true;
    }

    private int compareRest(int shared, int from, int length) {
        int at = entries.arrayOffset() + from;
        return Arrays.compareUnsigned(key, shared, keyLength, entries.array(), at, at + length);
    }

    private int readNumber(int max, String what) throws MalformedStoreException {
        long number = Varint.read(entries, what);
        if (number > max) {
            throw createException(what + ": " + number + " is above " + max);
        }
        return (int) number;
    }

    /// Returns the position before the bytes.
    private int skip(int bytes, String what) throws MalformedStoreException {
        int from = entries.position();
        if (bytes > entries.remaining()) {
            throw createException(what + ": cut off");
        }
        entries.position(from + bytes);
        return from;
    }

    private MalformedStoreException createException(String what) {
        return new MalformedStoreException(name + ": " + what);
    }

    /// Moves before the first entry that is not before a key.
    void seek(byte[] target) throws MalformedStoreException {
        int low = 0;
        int high = restarts.limit() / Integer.BYTES - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            restartAt(middle);
            if (next() && compareTo(target) <= 0) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        restartAt(low);
        boolean hasEntry = next();
        while (hasEntry && compareTo(target) < 0) {
            hasEntry = next();
        }
        isAhead = hasEntry;
    }

    private void restartAt(int number) throws MalformedStoreException {
        isAhead = false;
        keyLength = 0;
        valueFrom = NONE;
        position = restarts.hasRemaining() ? restarts.getInt(number * Integer.BYTES) : 0;
        if (position < 0 || position > entries.limit()) {
            throw createException("restart at " + position + " of " + entries.limit());
        }
    }

    int compareTo(byte[] other) {
        return Arrays.compareUnsigned(key, 0, keyLength, other, 0, other.length);
    }

    /// The buffer that holds the key from 0 to [#keyLength()], until the next entry.
    byte[] key() {
        return key;
    }

    int keyLength() {
        return keyLength;
    }

    /// The value, until the next page.
    ByteBuffer value() {
        return entries.slice(valueFrom, valueTo - valueFrom);
    }

    byte[] copyValue() {
        byte[] bytes = new byte[valueTo - valueFrom];
        entries.get(valueFrom, bytes);
        return bytes;
    }

    /// The page that an entry of an index is about.
    PageReference reference() throws MalformedStoreException {
        return PageReference.decode(value());
    }
}
