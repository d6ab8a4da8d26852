package org.bloomgate.decision.keyjournal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.bloomgate.base.io.StateFile;

/// Walks the blocks of an hourly file, also of one that is being written. Blocks whose checksum is wrong are counted
/// and passed over; the walk ends at a block that the file does not hold whole. Used by one thread.
final class HourFileReader implements AutoCloseable {
    private final FileChannel channel;
    private final ByteBuffer block =
            HourFileFormat.allocate(HourFileFormat.BLOCK_HEAD_BYTES + HourFileFormat.MAX_CONTENT_BYTES);
    private final long size;
    private long position;
    private int damaged;

    HourFileReader(Path file) throws IOException {
        channel = StateFile.open(file, Long.MAX_VALUE);
        size = channel.size();
    }

    /// True if the file begins like one written with this installation key. Must be called first.
    boolean isOf(MailKeyHash hash) throws IOException {
        position = HourFileFormat.HEAD_BYTES;
        return size >= HourFileFormat.HEAD_BYTES
                && read(0, HourFileFormat.HEAD_BYTES).equals(HourFileFormat.head(hash));
    }

    /// The content of the next intact block of the type; empty of bytes after the last. Valid until the next call.
    ByteBuffer next(int type) throws IOException {
        while (hasHead()) {
            ByteBuffer head = read(position, HourFileFormat.BLOCK_HEAD_BYTES);
            int found = head.getInt(0);
            int length = head.getInt(Integer.BYTES);
            long end = position + HourFileFormat.BLOCK_HEAD_BYTES + length;
            if (length <= 0 || length > HourFileFormat.MAX_CONTENT_BYTES) {
                damaged++;
                position = size;
                break;
            }
            if (end > size) {
                break;
            }
            long start = position;
            position = end;
            if (found == type) {
                ByteBuffer whole = read(start, HourFileFormat.BLOCK_HEAD_BYTES + length);
                if (HourFileFormat.isIntact(whole)) {
                    return whole.position(HourFileFormat.BLOCK_HEAD_BYTES);
                }
                damaged++;
            }
        }
        return block.position(0).limit(0);
    }

    /// Where the whole blocks end, the last of them being intact: what is behind was torn.
    long wholeBytes() throws IOException {
        long whole = HourFileFormat.HEAD_BYTES;
        position = HourFileFormat.HEAD_BYTES;
        while (hasHead()) {
            int length = read(position, HourFileFormat.BLOCK_HEAD_BYTES).getInt(Integer.BYTES);
            long end = position + HourFileFormat.BLOCK_HEAD_BYTES + length;
            if (length <= 0 || length > HourFileFormat.MAX_CONTENT_BYTES || end > size) {
                break;
            }
            if (HourFileFormat.isIntact(read(position, HourFileFormat.BLOCK_HEAD_BYTES + length))) {
                whole = end;
            }
            position = end;
        }
        return whole;
    }

    /// The blocks skipped so far; everything after an invalid block header counts as one.
    int damaged() {
        return damaged;
    }

    private boolean hasHead() {
        return size - position >= HourFileFormat.BLOCK_HEAD_BYTES;
    }

    private ByteBuffer read(long from, int length) throws IOException {
        block.clear().limit(length);
        while (block.hasRemaining()) {
            if (channel.read(block, from + block.position()) < 0) {
                throw new IOException("an hour of the key journal became shorter while it was read");
            }
        }
        return block.flip();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
