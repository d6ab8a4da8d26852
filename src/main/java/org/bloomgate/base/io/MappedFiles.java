package org.bloomgate.base.io;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.DELETE_ON_CLOSE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Set;

/// Files that are written through memory. Every byte is on disk as zero before it is mapped: in a sparse file a full
/// disk would be a fault of the machine in the middle of a write; this way it is an exception, and at once.
public final class MappedFiles {
    private static final int BYTES_AT_ONCE = 1 << 20;

    private MappedFiles() {}

    /// Creates a file and maps it.
    ///
    /// @param arena unmaps it
    public static MemorySegment create(Path file, long bytes, Arena arena) throws IOException {
        return map(file, bytes, arena, Set.of(CREATE_NEW, READ, WRITE));
    }

    /// Maps a new file whose name is already deleted when this returns, so that its space is freed with the
    /// arena or the process.
    ///
    /// @param file a name that is not in use
    public static MemorySegment temporary(Path file, long bytes, Arena arena) throws IOException {
        return map(file, bytes, arena, Set.of(CREATE_NEW, READ, WRITE, DELETE_ON_CLOSE));
    }

    /// Maps a file of our own for reading.
    ///
    /// @throws IOException as of [StateFile#open]
    public static MemorySegment read(Path file, Arena arena) throws IOException {
        try (FileChannel channel = StateFile.open(file, Long.MAX_VALUE)) {
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
        }
    }

    /// Creates a file of a length that is known when it is written.
    ///
    /// @param maxBytes of the file
    public static void write(Path file, long maxBytes, Content content) throws IOException {
        long length;
        try (Arena arena = Arena.ofConfined()) {
            length = content.writeTo(create(file, maxBytes, arena));
        }
        try (FileChannel channel = FileChannel.open(file, WRITE)) {
            channel.truncate(length);
        }
    }

    /// Writes the content of a file.
    @FunctionalInterface
    public interface Content {
        /// Returns the number of bytes that are used.
        long writeTo(MemorySegment out) throws IOException;
    }

    private static MemorySegment map(Path file, long bytes, Arena arena, Set<OpenOption> options) throws IOException {
        try (FileChannel channel = FileChannel.open(file, options)) {
            ByteBuffer zeros = ByteBuffer.allocateDirect(BYTES_AT_ONCE);
            for (long left = bytes; left > 0; ) {
                zeros.clear().limit((int) Math.min(left, BYTES_AT_ONCE));
                left -= channel.write(zeros);
            }
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena);
        }
    }
}
