package org.bloomgate.server.http;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.READ;

import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Set;

/// A part of a file to send, through a small buffer.
///
/// @param range within the file
public record FileSlice(Path file, ByteRange range) {
    private static final int BLOCK_BYTES = 64 * 1024;

    long length() {
        return range.length();
    }

    /// @throws IOException if the file cannot be read or is too short, or the client has disconnected
    void writeTo(OutputStream out) throws IOException {
        try (FileChannel channel = FileChannel.open(file, Set.of(READ, NOFOLLOW_LINKS))) {
            ByteBuffer block = ByteBuffer.allocate(BLOCK_BYTES);
            long at = range.first();
            long end = at + range.length();
            while (at < end) {
                block.clear().limit((int) Math.min(BLOCK_BYTES, end - at));
                int read = channel.read(block, at);
                if (read < 0) {
                    throw new EOFException(file + " ends at byte " + at + ", before byte " + end);
                }
                out.write(block.array(), 0, read);
                at += read;
            }
        }
    }
}
