package org.bloomgate.lookup.store;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Writes one part: data pages as they come, each index page after the last of its data pages, then the root. Not
/// thread-safe.
final class PartWriter implements AutoCloseable {
    private static final int BUFFER_BYTES = 128 << 10;

    private final byte[] from;
    private final OutputStream file;
    private final PageBuilder index;
    private final PageBuilder root = new PageBuilder(StorePart.ROOT_INDEX_BYTES);
    private final ByteBuffer reference = ByteBuffer.allocate(PageReference.MAX_ENCODED_BYTES);
    private byte[] lastSeparator = {};
    private long offset;

    /// @param from the first possible key
    /// @param indexPageBytes the size of an index page
    PartWriter(Path path, byte[] from, int indexPageBytes) throws IOException {
        this.from = from;
        index = new PageBuilder(indexPageBytes);
        file = new BufferedOutputStream(Files.newOutputStream(path, CREATE_NEW, WRITE), BUFFER_BYTES);
    }

    /// Bytes of the index in the root.
    int rootBytes() {
        return root.bytes();
    }

    /// Finishes and appends a data page.
    ///
    /// @param separator above all keys of the page, and not above the next key
    void add(PageBuilder page, byte[] separator) throws IOException {
        if (!index.hasRoomFor(separator.length, reference.capacity())) {
            write(index, lastSeparator, root);
        }
        write(page, separator, index);
        lastSeparator = separator;
    }

    private void write(PageBuilder page, byte[] separator, PageBuilder above) throws IOException {
        byte[] bytes = page.finish(offset);
        file.write(bytes);
        reference.clear();
        PageReference.of(offset, bytes).encode(reference);
        int shared = above.countSharedBytes(separator, separator.length);
        above.add(separator, separator.length, shared, reference.flip(), false);
        offset += bytes.length;
    }

    /// Finishes the part; its bytes are not forced to disk.
    ///
    /// @param to not below any possible key of the part
    void finish(byte[] dictionary, byte[] digestLengths, byte[] to) throws IOException {
        if (!index.isEmpty()) {
            write(index, lastSeparator, root);
        }
        byte[] bytes = StorePart.encodeRoot(List.of(dictionary, digestLengths, from, to), root.finish(0));
        file.write(bytes);
        file.write(PageFile.encodeFooter(PartRoot.of(offset, bytes)));
        file.close();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
