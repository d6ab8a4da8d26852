package org.bloomgate.lookup.store;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// One part of a store: the keys of a range, in pages, behind an index of two levels. The upper level is in the root,
/// which is in memory; the index pages below it are read when they are needed, and kept up to a bound.
///
/// Bytes of the root: the feed dictionary, which begins with the version of the format; the lengths of the digests of
/// passwords up to the end of the part; the bounds of the range; each as its length, a [Varint], and its bytes.
/// Then the index of the index pages, in the form of a [Page] at offset 0.
///
/// Thread-safe; must be closed when no thread uses it.
final class StorePart implements AutoCloseable {
    /// The size of the index in a root, at which a part ends: that of four thousand million keys of usual lengths.
    static final int ROOT_INDEX_BYTES = 1 << 20;

    private final PageSource source;
    private final long end;
    private final FeedDictionary dictionary;
    private final Set<Integer> passwordDigestBytes = new TreeSet<>();
    private final byte[] from;
    private final byte[] to;
    private final Page index;
    private final Cache<PageReference, Page> indexPages;

    /// @param source of the pages, which is closed with the part
    /// @param end of the pages
    /// @param root bytes that were verified
    /// @param indexPages that are kept in memory
    StorePart(PageSource source, long end, byte[] root, Cache<PageReference, Page> indexPages)
            throws MalformedStoreException {
        this.source = source;
        this.end = end;
        ByteBuffer in = ByteBuffer.wrap(root);
        dictionary = FeedDictionary.decode(readBytes(in, "feed dictionary"));
        for (byte length : readBytes(in, "lengths of digests")) {
            passwordDigestBytes.add(Byte.toUnsignedInt(length));
        }
        from = readBytes(in, "begin of the range");
        to = readBytes(in, "end of the range");
        index = Page.of(in, "root");
        this.indexPages = indexPages;
    }

    /// Keeps index pages, those that were used last.
    static Cache<PageReference, Page> createIndexCache(long bytes) {
        return Caffeine.newBuilder()
                .maximumWeight(bytes)
                .weigher((PageReference _, Page page) -> page.memoryBytes())
                .executor(Runnable::run)
                .build();
    }

    private static byte[] readBytes(ByteBuffer in, String what) throws MalformedStoreException {
        long length = Varint.read(in, what);
        if (length > in.remaining()) {
            throw new MalformedStoreException("root: " + what + ": cut off");
        }
        byte[] read = new byte[(int) length];
        in.get(read);
        return read;
    }

    /// @param fields all before the index
    static byte[] encodeRoot(List<byte[]> fields, byte[] index) {
        ByteBuffer out = ByteBuffer.allocate(PartRoot.MAX_BYTES);
        for (byte[] field : fields) {
            Varint.write(out, field.length);
            out.put(field);
        }
        out.put(index);
        return Arrays.copyOf(out.array(), out.position());
    }

    FeedDictionary dictionary() {
        return dictionary;
    }

    Set<Integer> passwordDigestBytes() {
        return passwordDigestBytes;
    }

    /// The first possible key.
    byte[] from() {
        return from;
    }

    /// The first possible key of the next part.
    byte[] to() {
        return to;
    }

    /// The index of the index pages.
    Page index() {
        return index.reopen();
    }

    /// The next key in the order of unsigned bytes: the separator of the page that has a key is not below it.
    static byte[] above(byte[] key) {
        return Arrays.copyOf(key, key.length + 1);
    }

    /// Returns the bytes of the listings of a key; empty if the part does not have it.
    ///
    /// @throws IOException if that is unknown, because a page cannot be read or is damaged
    Optional<byte[]> find(byte[] key) throws IOException {
        Page root = index();
        root.seek(above(key));
        if (!root.next()) {
            return Optional.empty();
        }
        Page pages = readIndexPage(root.reference());
        pages.seek(above(key));
        if (!pages.next()) {
            throw new MalformedStoreException("index page ends before its separator in the root");
        }
        Page page = readPage(pages.reference());
        page.seek(key);
        return page.next() && page.compareTo(key) == 0 ? Optional.of(page.copyValue()) : Optional.empty();
    }

    Page readIndexPage(PageReference reference) throws IOException {
        Page page = indexPages.getIfPresent(reference);
        if (page == null) {
            page = readPage(reference);
            indexPages.put(reference, page);
        }
        return page.reopen();
    }

    Page readPage(PageReference reference) throws IOException {
        if (reference.offset() > end - reference.length()) {
            throw new MalformedStoreException("page at " + reference.offset() + ": beyond the end of the pages");
        }
        return Page.of(source.read(reference), reference);
    }

    @Override
    public void close() {
        source.close();
    }
}
