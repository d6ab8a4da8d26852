package org.bloomgate.decision.senders;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.bloomgate.base.io.PrivateFile;
import org.bloomgate.base.io.StateFile;

/// The hashes of four weeks in one file, by its first day: `2026-01-08.pairs`. Big endian: magic and version, the check
/// of the key, then hashes of 8 bytes. A torn hash can only be the last, and is cut off.
///
/// @param slot weeks since 1970 by fours
record PairFile(Path directory, long slot) {
    static final int DAYS = 28;

    private static final String SUFFIX = ".pairs";
    private static final long MAGIC = 0x4247_5041_4952_0001L;

    /// 500 million hashes, more than any heap has room for.
    private static final long MAX_BYTES = 4L << 30;

    private static final int HEAD_BYTES = 2 * Long.BYTES;
    private static final int BUFFER_BYTES = 1 << 16;

    static long slotOf(long epochSecond) {
        return Math.floorDiv(epochSecond, DAYS * 86_400L);
    }

    Path path() {
        return directory.resolve(LocalDate.ofEpochDay(slot * DAYS) + SUFFIX);
    }

    /// The files of a directory; files with other names are ignored.
    static List<PairFile> in(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.flatMap(file -> parse(directory, file).stream()).toList();
        }
    }

    private static Optional<PairFile> parse(Path directory, Path file) {
        String name = file.getFileName().toString();
        try {
            long day = LocalDate.parse(name.replace(SUFFIX, "")).toEpochDay();
            PairFile parsed = new PairFile(directory, Math.floorDiv(day, (long) DAYS));
            return parsed.path().equals(file) ? Optional.of(parsed) : Optional.empty();
        } catch (DateTimeException another) {
            return Optional.empty();
        }
    }

    /// The number of hashes; 0 for a file of another key or another version.
    long count(long check) throws IOException {
        if (Files.notExists(path())) {
            return 0;
        }
        try (FileChannel file = StateFile.open(path(), MAX_BYTES)) {
            ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES);
            while (head.hasRemaining() && file.read(head) >= 0) {}
            boolean matches = !head.hasRemaining() && head.getLong(0) == MAGIC && head.getLong(Long.BYTES) == check;
            return matches ? (file.size() - HEAD_BYTES) / Long.BYTES : 0;
        }
    }

    void read(long count, LongConsumer hashes) throws IOException {
        try (FileChannel file = StateFile.open(path(), MAX_BYTES)) {
            file.position(HEAD_BYTES);
            ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
            for (long left = count; left > 0; ) {
                if (file.read(buffer) < 0) {
                    return;
                }
                buffer.flip();
                for (; left > 0 && buffer.remaining() >= Long.BYTES; left--) {
                    hashes.accept(buffer.getLong());
                }
                buffer.compact();
            }
        }
    }

    /// Opens the file for further hashes at its end.
    FileChannel append(long check) throws IOException {
        PrivateFile.create(path());
        long whole = count(check);
        FileChannel file = StateFile.open(path(), MAX_BYTES, StandardOpenOption.WRITE);
        if (whole == 0) {
            file.truncate(0);
            write(
                    file,
                    ByteBuffer.allocate(HEAD_BYTES)
                            .putLong(MAGIC)
                            .putLong(check)
                            .flip());
        }
        file.truncate(HEAD_BYTES + whole * Long.BYTES).position(HEAD_BYTES + whole * Long.BYTES);
        return file;
    }

    static void write(FileChannel file, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            file.write(bytes);
        }
    }
}
