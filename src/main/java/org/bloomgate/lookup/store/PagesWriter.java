package org.bloomgate.lookup.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.bloomgate.base.io.DurableFiles;
import org.bloomgate.core.key.KeyKind;

/// Writes the pages of a store as the keys come. Equal keys and listings give equal files.
final class PagesWriter implements StoreWriter {
    private final Path directory;
    private final int indexPageBytes;
    private final int rootIndexBytes;
    private final byte[] dictionary;
    private final int feedCount;
    private final PageBuilder page;
    private final BitSet digestLengths = new BitSet();
    private PartWriter part;
    private int parts = 1;
    private final byte[] key = new byte[StoreKey.MAX_BYTES];
    private ByteBuffer value = ByteBuffer.allocate(256).flip();
    private ByteBuffer spareValue = ByteBuffer.allocate(256);
    private long keys;

    /// Creates a writer as [StoreWriter#create] does.
    PagesWriter(Path directory, List<ListedFeed> feeds) throws IOException {
        this(directory, feeds, 4 << 10, 32 << 10, StorePart.ROOT_INDEX_BYTES);
    }

    /// @param pageBytes the size of a data page
    /// @param indexPageBytes the size of an index page
    /// @param rootIndexBytes of the index in a root, at which the next part begins
    PagesWriter(Path directory, List<ListedFeed> feeds, int pageBytes, int indexPageBytes, int rootIndexBytes)
            throws IOException {
        this.directory = Files.createDirectories(directory);
        page = new PageBuilder(pageBytes);
        this.indexPageBytes = indexPageBytes;
        this.rootIndexBytes = rootIndexBytes;
        dictionary = new FeedDictionary(feeds).encode();
        feedCount = feeds.size();
        part = new PartWriter(directory.resolve(SortedStore.partName(0)), SortedStore.FIRST, indexPageBytes);
    }

    @Override
    public void put(KeyKind kind, byte[] bytes, int from, int to, StoredListings listings) throws IOException {
        if (listings.size() == 0 || listings.feed(listings.size() - 1) >= feedCount) {
            throw new IllegalArgumentException("listings of no feed of this store");
        }
        if (spareValue.capacity() < listings.maxBytes()) {
            spareValue = ByteBuffer.allocate(listings.maxBytes());
        }
        spareValue.clear();
        listings.encode(spareValue);
        boolean isSame = spareValue.flip().equals(value);
        ByteBuffer previousValue = value;
        value = spareValue;
        spareValue = previousValue;
        write(kind, bytes, from, to, isSame);
    }

    @Override
    public void put(KeyKind kind, byte[] bytes, int from, int to) throws IOException {
        if (keys == 0) {
            throw new IllegalStateException("the first key has no key before it whose listings it could share");
        }
        write(kind, bytes, from, to, true);
    }

    private void write(KeyKind kind, byte[] bytes, int from, int to, boolean isSameValue) throws IOException {
        int length = 1 + to - from;
        if (length > StoreKey.MAX_BYTES) {
            throw new IllegalArgumentException(
                    "key of " + (to - from) + " bytes, the bound is " + (StoreKey.MAX_BYTES - 1));
        }
        key[0] = (byte) kind.wireCode();
        System.arraycopy(bytes, from, key, 1, to - from);
        int shared = page.countSharedBytes(key, length);
        if (!page.hasRoomFor(length, value.remaining())) {
            finishPage(Arrays.copyOf(key, shared + 1));
        }
        page.add(key, length, shared, value, isSameValue);
        keys++;
        if (kind == KeyKind.PASSWORD) {
            digestLengths.set(to - from);
        }
    }

    /// @param separator the shortest text above all keys before
    private void finishPage(byte[] separator) throws IOException {
        part.add(page, separator);
        if (part.rootBytes() >= rootIndexBytes) {
            if (parts == SortedStore.MAX_PARTS) {
                throw new IOException("exact store " + directory + ": more than " + parts + " parts");
            }
            finishPart(separator);
            part = new PartWriter(directory.resolve(SortedStore.partName(parts++)), separator, indexPageBytes);
        }
    }

    private void finishPart(byte[] to) throws IOException {
        byte[] lengths = new byte[digestLengths.cardinality()];
        int count = 0;
        for (int length = digestLengths.nextSetBit(0); length >= 0; length = digestLengths.nextSetBit(length + 1)) {
            lengths[count++] = (byte) length;
        }
        part.finish(dictionary, lengths, to);
    }

    @Override
    public void finish() throws IOException {
        if (!page.isEmpty()) {
            part.add(page, SortedStore.LAST);
        }
        finishPart(SortedStore.LAST);
        DurableFiles.forceTree(directory);
    }

    @Override
    public void close() {
        try {
            part.close();
        } catch (IOException e) {
            throw new UncheckedIOException("exact store " + directory + ": cannot be closed", e);
        }
    }
}
