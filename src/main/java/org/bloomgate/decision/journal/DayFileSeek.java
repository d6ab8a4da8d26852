package org.bloomgate.decision.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.bloomgate.base.io.StateFile;

/// Finds a time in a file of the journal, whose lines are in the order of their times, by binary search.
final class DayFileSeek {
    /// The size of one read, and of the part that is then read line by line.
    private static final int BLOCK_BYTES = 64 * 1024;

    private DayFileSeek() {}

    /// Returns an offset after which no line is older; lines up to a block before it may be newer.
    ///
    /// @param second of a time, as lines begin with it
    static long before(Path file, String second) throws IOException {
        try (FileChannel channel = StateFile.open(file, DayFile.MAX_BYTES)) {
            long from = 0;
            long to = channel.size();
            while (to - from > BLOCK_BYTES) {
                long middle = (from + to) >>> 1;
                String block = block(channel, middle);
                int line = block.indexOf('\n') + 1;
                String found = line == 0 ? "" : DecisionLine.secondOf(block.substring(line));
                if (found.isEmpty()) {
                    return to;
                }
                if (found.compareTo(second) < 0) {
                    from = middle + line;
                } else if (middle + line < to) {
                    to = middle + line;
                } else {
                    return to;
                }
            }
            return to;
        }
    }

    /// One byte a character.
    private static String block(FileChannel channel, long from) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(BLOCK_BYTES);
        int read = channel.read(buffer, from);
        return new String(buffer.array(), 0, Math.max(0, read), StandardCharsets.ISO_8859_1);
    }
}
