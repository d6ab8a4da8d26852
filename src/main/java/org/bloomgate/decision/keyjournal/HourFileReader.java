package org.bloomgate.decision.keyjournal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.bloomgate.base.io.StateFile;

/// Walks the records of an hourly file, also of one that is being written. Records whose checksum is wrong are counted
/// and passed over; the walk ends at a record that the file does not hold whole. Used by one thread.
final class HourFileReader implements AutoCloseable {
    private static final int READ_BYTES = 1 << 18;

    private final FileChannel channel;
    private final ByteBuffer buffer = HourFileFormat.allocate(READ_BYTES).limit(0);

    /// The record returned last, in the same bytes.
    private final ByteBuffer record = buffer.duplicate().order(buffer.order());

    private int damaged;

    HourFileReader(Path file) throws IOException {
        channel = StateFile.open(file, HourFileFormat.MAX_FILE_BYTES);
    }

    /// True if the file was written with this installation key. Must be called first.
    boolean isWrittenWith(MailKeyHash hash) throws IOException {
        boolean matches = fill(HourFileFormat.HEAD_BYTES)
                && record(HourFileFormat.HEAD_BYTES).equals(HourFileFormat.head(hash));
        buffer.position(Math.min(buffer.limit(), HourFileFormat.HEAD_BYTES));
        return matches;
    }

    /// Returns the next intact record; without remaining bytes at the end of the file. It is valid until the next
    /// call.
    ByteBuffer next() throws IOException {
        while (fill(HourFileFormat.RECORD_HEAD_BYTES)) {
            int count = HourFileFormat.count(buffer);
            if (count < 0 || count > HourFileFormat.MAX_HASHES) {
                damaged++;
                channel.position(channel.size());
                buffer.limit(buffer.position());
                break;
            }
            int length = HourFileFormat.bytes(count);
            if (!fill(length)) {
                break;
            }
            record(length);
            buffer.position(buffer.position() + length);
            if (HourFileFormat.isIntact(record)) {
                return record;
            }
            damaged++;
        }
        return record.limit(0);
    }

    /// Returns where the last intact record ends; what follows it is torn.
    long wholeBytes() throws IOException {
        long whole = HourFileFormat.HEAD_BYTES;
        while (next().hasRemaining()) {
            whole = channel.position() - buffer.remaining();
        }
        return whole;
    }

    /// The records skipped so far; everything after an invalid count is counted as one.
    int damaged() {
        return damaged;
    }

    private ByteBuffer record(int length) {
        return record.limit(buffer.position() + length).position(buffer.position());
    }

    /// Reads until the buffer has this number of bytes. False if the file ends before.
    private boolean fill(int length) throws IOException {
        if (buffer.remaining() >= length) {
            return true;
        }
        buffer.compact();
        int count = 0;
        while (buffer.position() < length && count >= 0) {
            count = channel.read(buffer);
        }
        return buffer.flip().remaining() >= length;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
