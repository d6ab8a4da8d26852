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
    private final ByteBuffer read = HourFileFormat.allocate(READ_BYTES).limit(0);

    /// The record returned last, in the same bytes.
    private final ByteBuffer record = read.duplicate().order(read.order());

    private int damaged;

    HourFileReader(Path file) throws IOException {
        channel = StateFile.open(file, HourFileFormat.MAX_FILE_BYTES);
    }

    /// True if the file begins like one written with this installation key. Must be called first.
    boolean isOf(MailKeyHash hash) throws IOException {
        boolean ours = has(HourFileFormat.HEAD_BYTES)
                && record(HourFileFormat.HEAD_BYTES).equals(HourFileFormat.head(hash));
        read.position(Math.min(read.limit(), HourFileFormat.HEAD_BYTES));
        return ours;
    }

    /// The next intact record, from its first byte to its last; empty of bytes after the last. Valid until the next
    /// call.
    ByteBuffer next() throws IOException {
        while (has(HourFileFormat.RECORD_HEAD_BYTES)) {
            int count = HourFileFormat.count(read);
            if (count < 0 || count > HourFileFormat.MAX_HASHES) {
                damaged++;
                channel.position(channel.size());
                read.limit(read.position());
                break;
            }
            int length = HourFileFormat.bytes(count);
            if (!has(length)) {
                break;
            }
            record(length);
            read.position(read.position() + length);
            if (HourFileFormat.isIntact(record)) {
                return record;
            }
            damaged++;
        }
        return record.limit(0);
    }

    /// Where the whole records end, the last of them being intact: what is behind was torn.
    long wholeBytes() throws IOException {
        long whole = HourFileFormat.HEAD_BYTES;
        while (next().hasRemaining()) {
            whole = channel.position() - read.remaining();
        }
        return whole;
    }

    /// The records skipped so far; everything after an invalid count is counted as one.
    int damaged() {
        return damaged;
    }

    private ByteBuffer record(int length) {
        return record.limit(read.position() + length).position(read.position());
    }

    /// Whether so many bytes follow; reads them.
    private boolean has(int length) throws IOException {
        if (read.remaining() >= length) {
            return true;
        }
        read.compact();
        int got = 0;
        while (read.position() < length && got >= 0) {
            got = channel.read(read);
        }
        return read.flip().remaining() >= length;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
