package org.bloomgate.lists.fetch;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// Splits a stream into lines at LF. Removes a CR before the LF, and a byte order mark at the start of the stream. The
/// last line needs no line end.
///
/// One line of at most [#MAX_BYTES], including a CR, is in memory; the rest of a longer one is skipped.
public final class PhysicalLines {
    /// Seven times the longest line seen in real feeds (9 kB).
    public static final int MAX_BYTES = 64 * 1024;

    /// Bytes read from the stream at once.
    public static final int CHUNK_BYTES = 64 * 1024;
    private static final char REPLACEMENT = '\uFFFD';
    private static final char BYTE_ORDER_MARK = '\uFEFF';

    private InputStream in;
    private final byte[] chunk = new byte[CHUNK_BYTES];
    private int position;
    private int limit;

    private final byte[] line = new byte[MAX_BYTES];
    private int length;
    private boolean tooLong;
    private long number;

    public PhysicalLines(InputStream in) {
        this(in, 0);
    }

    /// @param precedingLines number of lines before the stream
    public PhysicalLines(InputStream in, long precedingLines) {
        this.in = in;
        number = precedingLines;
    }

    /// Starts again with another stream.
    void restart(InputStream next) {
        in = next;
        position = 0;
        limit = 0;
        number = 0;
    }

    /// Moves to the next line; false at the end.
    public boolean next() throws IOException {
        length = 0;
        tooLong = false;
        if (position == limit && !fill()) {
            return false;
        }
        number++;
        while (!readToLineFeed() && fill()) {}
        if (length > 0 && line[length - 1] == '\r' && !tooLong) {
            length--;
        }
        return true;
    }

    private boolean fill() throws IOException {
        position = 0;
        limit = Math.max(0, in.read(chunk, 0, chunk.length));
        return limit > 0;
    }

    /// Whether the line ended within the chunk.
    private boolean readToLineFeed() {
        int end = position;
        while (end < limit && chunk[end] != '\n') {
            end++;
        }
        int copied = Math.min(end - position, MAX_BYTES - length);
        System.arraycopy(chunk, position, line, length, copied);
        length += copied;
        tooLong |= copied < end - position;
        boolean ended = end < limit;
        position = ended ? end + 1 : end;
        return ended;
    }

    /// Number of the line, from 1.
    public long number() {
        return number;
    }

    /// The buffer with the line, from 0 to [#length()].
    public byte[] bytes() {
        return line;
    }

    /// Bytes of the line, at most [#MAX_BYTES].
    public int length() {
        return length;
    }

    /// Whether the line is cut at [#MAX_BYTES].
    public boolean isTooLong() {
        return tooLong;
    }

    /// The line as text; malformed UTF-8 becomes U+FFFD and an overlong line is cut.
    public String text() {
        String text = new String(line, 0, length, StandardCharsets.UTF_8);
        return number == 1 && !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK ? text.substring(1) : text;
    }

    /// Why the line cannot be an entry of any format; empty if it can.
    ///
    /// @param text as returned by [#text()]
    public Optional<String> findFault(String text) {
        if (tooLong) {
            return Optional.of("longer than " + MAX_BYTES + " bytes");
        }
        if (text.indexOf('\0') >= 0) {
            return Optional.of("a NUL byte");
        }
        if (text.indexOf(REPLACEMENT) >= 0 && !isUtf8()) {
            return Optional.of("not UTF-8");
        }
        return Optional.empty();
    }

    private boolean isUtf8() {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(line, 0, length));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }
}
