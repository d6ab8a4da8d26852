package org.bloomgate.lookup.store;

import com.github.luben.zstd.ZstdInputStream;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/// Reads the numbers and bytes of a file that [StoreChange] wrote, block by block. Not thread-safe.
final class ChangeReader implements AutoCloseable {
    /// The most native memory that a file may require, 8 MiB; files written here require 4 at most.
    static final int MAX_WINDOW_LOG = 23;

    private final DataInputStream in;
    private ByteBuffer block = ByteBuffer.allocate(0);

    private ChangeReader(DataInputStream in) {
        this.in = in;
    }

    /// Stands behind the version.
    ///
    /// @throws MalformedStoreException if the file is not a change of a store, or of another version
    static ChangeReader open(Path change) throws IOException {
        ZstdInputStream unpacked = new ZstdInputStream(Files.newInputStream(change));
        DataInputStream in = new DataInputStream(new BufferedInputStream(unpacked));
        try {
            Object _ = unpacked.setLongMax(MAX_WINDOW_LOG);
            ChangeReader reader = new ChangeReader(in);
            reader.readHead();
            return reader;
        } catch (IOException e) {
            in.close();
            throw e;
        }
    }

    private void readHead() throws IOException {
        fill();
        require(block.remaining() > Integer.BYTES && block.getInt() == StoreChange.MAGIC, "no change of a store");
        long version = number("version");
        require(version == StoreChange.VERSION, "a change of version " + version);
    }

    long number(String what) throws IOException {
        fill();
        return Varint.get(block, what);
    }

    /// Bytes behind their length.
    ///
    /// @param most of them
    byte[] bytes(String what, int most) throws IOException {
        long length = number(what);
        require(length <= most && length <= block.remaining(), what + " of " + length + " bytes");
        byte[] bytes = new byte[(int) length];
        block.get(bytes);
        return bytes;
    }

    /// Steps do not go on in the next block.
    private void fill() throws IOException {
        while (!block.hasRemaining()) {
            int length = in.readInt();
            require(length > 0 && length <= StoreChange.MAX_BLOCK_BYTES, "a block of " + length);
            block = ByteBuffer.wrap(in.readNBytes(length));
            if (block.remaining() < length) {
                throw new EOFException("change of a store: ends too early");
            }
        }
    }

    static void require(boolean holds, String otherwise) throws MalformedStoreException {
        if (!holds) {
            throw new MalformedStoreException("change of a store: " + otherwise);
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
