package org.bloomgate.base.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Truncates a file of appended lines after its last complete line: a killed process or a full disk can leave an
/// incomplete line at the end. Only the process that writes the file may call this, between its writes.
public final class LineTruncation {
    private static final int BLOCK_BYTES = 4096;

    private LineTruncation() {}

    /// @return bytes that were cut off
    public static long truncate(Path file, long maxBytes) throws IOException {
        try (FileChannel channel = StateFile.open(file, maxBytes, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return truncate(channel);
        }
    }

    static long truncate(FileChannel channel) throws IOException {
        long size = channel.size();
        long wholeSize = findEnd(channel, size);
        if (wholeSize < size) {
            FileChannel _ = channel.truncate(wholeSize);
        }
        return size - wholeSize;
    }

    /// The end of the last complete line within the first `size` bytes; 0 if there is none.
    private static long findEnd(FileChannel channel, long size) throws IOException {
        ByteBuffer block = ByteBuffer.allocate(BLOCK_BYTES);
        long end = size;
        while (end > 0) {
            long start = Math.max(0, end - BLOCK_BYTES);
            block.clear().limit((int) (end - start));
            while (block.hasRemaining() && channel.read(block, start + block.position()) >= 0) {
                // The condition reads until the block is full.
            }
            for (int i = block.position(); i > 0; i--) {
                if (block.get(i - 1) == '\n') {
                    return start + i;
                }
            }
            end = start;
        }
        return 0;
    }
}
