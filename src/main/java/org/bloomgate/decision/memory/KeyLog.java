package org.bloomgate.decision.memory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;
import org.bloomgate.base.io.PrivateFile;
import org.bloomgate.base.io.StateFile;

/// The file to which the keys of the current slot are appended. Big endian: magic and version, the seed of the
/// set, then records of 16 bytes. A torn record can only be the last, and is cut off.
record KeyLog(Path path) {
    private static final long MAGIC = 0x4247_4D45_4D00_0001L;
    private static final int HEAD_BYTES = 2 * Long.BYTES;
    private static final int RECORD_BYTES = 2 * Long.BYTES;
    private static final int BUFFER_BYTES = 1 << 16;

    /// 268 million records, more than any heap has room for.
    private static final long MAX_BYTES = 4L << 30;

    /// One entry of the log.
    ///
    /// @param key hash of the set
    /// @param minute since 1970
    /// @param recipients of the message to count, for a sighting
    record Entry(long key, Kind kind, int minute, int recipients) {
        Entry {
            recipients = Math.min(recipients, 0xffff);
        }

        /// Whether the key belongs in the filter.
        boolean isKey() {
            return kind != Kind.DEFERRAL;
        }
    }

    /// The meaning of an entry. The code is in the file and never changes.
    enum Kind {
        /// A key of the filter.
        KEY(1),
        /// A key of the filter that is among the first sightings.
        SIGHTING(2),
        /// A first sighting in a deferred message, which is not a key.
        DEFERRAL(3);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        private static Kind of(int code) throws IOException {
            for (Kind kind : values()) {
                if (kind.code == code) {
                    return kind;
                }
            }
            throw new IOException("unknown kind of entry " + code);
        }
    }

    /// Reads all whole records.
    ///
    /// @param reader receives the entries
    /// @throws IOException also if the file is of another seed or version
    void read(long seed, Consumer<Entry> reader) throws IOException {
        try (FileChannel file = StateFile.open(path, MAX_BYTES)) {
            ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
            boolean isHeadRead = false;
            while (file.read(buffer) >= 0) {
                buffer.flip();
                if (!isHeadRead && buffer.remaining() >= HEAD_BYTES) {
                    if (buffer.getLong() != MAGIC || buffer.getLong() != seed) {
                        throw new IOException(path + ": of another key or version");
                    }
                    isHeadRead = true;
                }
                while (isHeadRead && buffer.remaining() >= RECORD_BYTES) {
                    long key = buffer.getLong();
                    int minute = buffer.getInt();
                    Kind kind = Kind.of(buffer.getShort());
                    reader.accept(new Entry(key, kind, minute, buffer.getShort() & 0xffff));
                }
                buffer.compact();
            }
        }
    }

    /// Opens the file for further records behind the whole ones. The head is as long as a record.
    FileChannel append(long seed) throws IOException {
        PrivateFile.create(path);
        FileChannel file = StateFile.open(path, MAX_BYTES, StandardOpenOption.WRITE);
        long end = file.size() / RECORD_BYTES * RECORD_BYTES;
        file.truncate(end).position(end);
        if (end == 0) {
            write(file, ByteBuffer.allocate(HEAD_BYTES).putLong(MAGIC).putLong(seed));
        }
        return file;
    }

    /// An empty buffer for records.
    static ByteBuffer buffer() {
        return ByteBuffer.allocate(BUFFER_BYTES);
    }

    static boolean isFull(ByteBuffer buffer) {
        return buffer.remaining() < RECORD_BYTES;
    }

    static void put(ByteBuffer buffer, Entry entry) {
        buffer.putLong(entry.key())
                .putInt(entry.minute())
                .putShort((short) entry.kind().code)
                .putShort((short) entry.recipients());
    }

    /// Writes the filled part of a buffer and clears it.
    static void write(FileChannel file, ByteBuffer buffer) throws IOException {
        buffer.flip();
        while (buffer.hasRemaining()) {
            file.write(buffer);
        }
        buffer.clear();
    }

    boolean exists() {
        return Files.exists(path);
    }
}
