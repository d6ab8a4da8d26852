package org.bloomgate.decision.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import org.bloomgate.base.io.StateFile;

/// The lines of a UTF-8 file from the last to the first, read in blocks from its end, so that recent lines are found
/// without reading earlier ones. Empty lines and lines above [#MAX_LINE_BYTES] are left out. Used by
/// one thread.
final class ReverseLines implements AutoCloseable {
    /// Far above the bounds of a decision.
    static final int MAX_LINE_BYTES = 1 << 20;

    private static final int BLOCK_BYTES = 64 * 1024;

    private final FileChannel channel;
    private final byte[] block = new byte[BLOCK_BYTES];

    /// Offset in the file of the block's first byte.
    private long offset;

    /// The number of bytes at the start of the block that are not searched yet.
    private int left;

    /// The part of the current line that was read so far.
    private byte[] tail = new byte[0];

    private boolean tooLong;

    ReverseLines(Path file) throws IOException {
        this(file, Long.MAX_VALUE);
    }

    /// @param end of the lines to read, one of [#position()]; beyond the file: all of them
    ReverseLines(Path file, long end) throws IOException {
        this.channel = StateFile.open(file, DayFile.MAX_BYTES);
        this.offset = Math.min(end, channel.size());
    }

    /// The end of the lines before the one returned last.
    long position() {
        return offset + left;
    }

    /// The line before the one returned last; empty at the start of the file.
    Optional<String> previous() throws IOException {
        while (left > 0 || readBlock()) {
            int lineEnd = left;
            while (left > 0 && block[left - 1] != '\n') {
                left--;
            }
            extend(left, lineEnd);
            boolean whole = left > 0;
            left = Math.max(0, left - 1);
            boolean first = offset == 0 && left == 0;
            if (whole || first) {
                Optional<String> line = finishLine();
                if (line.isPresent()) {
                    return line;
                }
            }
        }
        return Optional.empty();
    }

    private boolean readBlock() throws IOException {
        int length = (int) Math.min(BLOCK_BYTES, offset);
        ByteBuffer target = ByteBuffer.wrap(block, 0, length);
        while (target.hasRemaining()) {
            if (channel.read(target, offset - length + target.position()) < 0) {
                return false;
            }
        }
        offset -= length;
        left = length;
        return length > 0;
    }

    /// Puts block[from, to) before the tail.
    private void extend(int from, int to) {
        int length = to - from;
        if (tail.length + length > MAX_LINE_BYTES) {
            tooLong = true;
            tail = new byte[0];
        } else if (length > 0) {
            byte[] longer = new byte[length + tail.length];
            System.arraycopy(block, from, longer, 0, length);
            System.arraycopy(tail, 0, longer, length, tail.length);
            tail = longer;
        }
    }

    private Optional<String> finishLine() {
        Optional<String> line =
                tooLong || tail.length == 0 ? Optional.empty() : Optional.of(new String(tail, StandardCharsets.UTF_8));
        tail = new byte[0];
        tooLong = false;
        return line;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
