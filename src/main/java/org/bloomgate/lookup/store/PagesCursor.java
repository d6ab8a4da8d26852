package org.bloomgate.lookup.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/// The cursor over the parts of a store.
final class PagesCursor implements StoreCursor {
    private final List<StorePart> parts;
    private final byte[] from;
    private final byte[] to;
    private final StoredListings listings = new StoredListings();
    private int part;
    private Page root;
    private Page index = Page.empty();
    private Page page = Page.empty();
    private byte[] value = {};
    private long nextOffset;
    private boolean hasStarted;

    /// @param parts that may have keys of the range, in order; at least one
    /// @param from the store key to begin at
    /// @param to the store key to end before
    PagesCursor(List<StorePart> parts, byte[] from, byte[] to) {
        this.parts = parts;
        this.from = from;
        this.to = to;
        root = parts.getFirst().index();
    }

    private void seek() throws IOException {
        root.seek(StorePart.above(from));
        if (root.next()) {
            index = parts.getFirst().readIndexPage(root.reference());
            index.seek(StorePart.above(from));
            if (index.next()) {
                page = readPage(index.reference());
                page.seek(from);
            }
        }
    }

    @Override
    public boolean next() throws IOException {
        if (!hasStarted) {
            hasStarted = true;
            seek();
        }
        if (!moveToNext() || page.compareTo(to) >= 0) {
            return false;
        }
        readValue();
        return true;
    }

    private boolean moveToNext() throws IOException {
        while (!page.next()) {
            while (!index.next()) {
                while (!root.next()) {
                    if (part + 1 == parts.size()) {
                        return false;
                    }
                    part++;
                    root = parts.get(part).index();
                    nextOffset = 0;
                }
                index = parts.get(part).readIndexPage(root.reference());
            }
            page = readPage(index.reference());
        }
        return true;
    }

    /// Reads the next data page. A page is before the next one in the file, so that no page is walked twice.
    private Page readPage(PageReference reference) throws IOException {
        if (reference.offset() < nextOffset) {
            throw new MalformedStoreException("page at " + reference.offset() + ": out of order");
        }
        nextOffset = reference.offset() + Math.max(1, reference.length());
        return parts.get(part).readPage(reference);
    }

    /// Reads the listings, unless they are equal to those of the key before, as they are for most keys.
    private void readValue() throws MalformedStoreException {
        if (!page.value().equals(ByteBuffer.wrap(value))) {
            value = page.copyValue();
            listings.decode(ByteBuffer.wrap(value), parts.get(part).dictionary().size());
        }
    }

    @Override
    public byte[] bytes() {
        return page.key();
    }

    @Override
    public int end() {
        return page.keyLength();
    }

    @Override
    public StoredListings stored() {
        return listings;
    }

    @Override
    public byte[] value() {
        return value.clone();
    }

    /// The pages belong to the store.
    @Override
    public void close() {}
}
