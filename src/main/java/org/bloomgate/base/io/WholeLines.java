package org.bloomgate.base.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Truncates a file of appended lines after its last complete line: a kill or a full disk can leave an
/// incomplete one behind it. Only the process that writes the file may call this, between its writes.
public final class WholeLines {
    private static final int BLOCK_BYTES = 4096;

    private WholeLines() {}

    /// @return bytes that were cut off
    public static long cut(Path file, long maxBytes) throws IOException {
        try (FileChannel channel = StateFile.open(file, maxBytes, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return cut(channel);
        }
    }

    static long cut(FileChannel channel) throws IOException {
        long size = channel.size();
        long whole = end(channel, size);
        if (whole < size) {
            FileChannel _ = channel.truncate(whole);
        }
        return size - whole;
    }

    /// The end of the last complete line within the first `size` bytes; 0 if there is none.
    private static long end(FileChannel channel, long size) throws IOException {
        ByteBuffer block = ByteBuffer.allocate(BLOCK_BYTES);
        long to = size;
        while (to > 0) {
            long from = Math.max(0, to - BLOCK_BYTES);
            block.clear().limit((int) (to - from));
            while (block.hasRemaining() && channel.read(block, from + block.position()) >= 0) {
                // Until all of it is read.
            }
            for (int i = block.position(); i > 0; i--) {
                if (block.get(i - 1) == '\n') {
                    return from + i;
                }
            }
            to = from;
        }
        return 0;
    }
}
