package org.bloomgate.lookup.store;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A part on the disk of this machine, open for reading: pages, root, and a footer with the [PartRoot] and a magic
/// number.
///
/// The file is read and never mapped: a mapped file that is cut short ends the process. It is read through
/// `RandomAccessFile`, because interrupting a thread that reads from a `FileChannel` closes the channel for all
/// threads. Thread-safe.
final class PageFile implements PageSource {
    private static final long MAGIC = 0x0a1a0a0d50474289L;
    private static final int FOOTER_BYTES = Long.BYTES + Integer.BYTES + 32 + Long.BYTES;

    /// Threads that read at the same time; further ones wait for some microseconds.
    private static final int HANDLES = 4;

    private final Path file;
    private final List<RandomAccessFile> handles = new ArrayList<>();

    private PageFile(Path file) {
        this.file = file;
    }

    /// @throws IOException if there is no such file
    static PageFile open(Path file) throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(file.getFileName() + ": missing, or no regular file");
        }
        PageFile part = new PageFile(file);
        try {
            for (int i = 0; i < HANDLES; i++) {
                part.handles.add(new RandomAccessFile(file.toString(), "r"));
            }
            return part;
        } catch (IOException e) {
            part.close();
            throw e;
        }
    }

    /// The end of a part.
    static byte[] encodeFooter(PartRoot root) {
        return ByteBuffer.allocate(FOOTER_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(root.offset())
                .putInt(root.length())
                .put(root.digest())
                .putLong(MAGIC)
                .array();
    }

    /// Reads and verifies the root.
    ///
    /// @throws MalformedStoreException if the file does not end as a part, or its root is damaged
    PartRoot root() throws IOException {
        long end = handles.getFirst().length() - FOOTER_BYTES;
        if (end >= 0) {
            byte[] footer = read(end, FOOTER_BYTES);
            long offset = ByteBuffer.wrap(footer).order(ByteOrder.LITTLE_ENDIAN).getLong();
            if (offset >= 0 && offset <= end && end - offset <= PartRoot.MAX_BYTES) {
                PartRoot root = PartRoot.of(offset, read(offset, (int) (end - offset)));
                if (Arrays.equals(encodeFooter(root), footer)) {
                    return root;
                }
            }
        }
        throw new MalformedStoreException(file.getFileName() + ": no part of a store, or its root is damaged");
    }

    byte[] readRoot(PartRoot root) throws IOException {
        return read(root.offset(), root.length());
    }

    @Override
    public byte[] read(PageReference page) throws IOException {
        return read(page.offset(), page.length());
    }

    private byte[] read(long offset, int length) throws IOException {
        byte[] bytes = new byte[length];
        RandomAccessFile handle = handles.get((int) (Thread.currentThread().threadId() % HANDLES));
        synchronized (handle) {
            handle.seek(offset);
            handle.readFully(bytes);
        }
        return bytes;
    }

    /// Must not be called while a thread reads.
    @Override
    public void close() {
        try {
            for (RandomAccessFile handle : handles) {
                handle.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(file + ": cannot be closed", e);
        }
    }
}
