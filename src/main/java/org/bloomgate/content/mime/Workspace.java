package org.bloomgate.content.mime;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Objects;
import org.bloomgate.content.html.TextBuffer;
import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.Limit;

/// Buffers for reading one message at a time, reused from message to message.
final class Workspace {
    private static final int INITIAL_BYTES = 32 * 1024;

    /// The size of a decoder's block.
    static final int ENCODED_BYTES = 4 * 1024;

    /// A workspace with larger buffers, after a large message, is not kept; only its [LargeBuffers] are.
    static final int KEPT_BYTES = 1024 * 1024;

    /// Bytes of heap for a byte of text: two for the decoded char, and four for the text joined over tags.
    private static final int HEAP_BYTES_PER_TEXT_BYTE = 6;

    /// Chars that a decoder may need beyond one for each byte.
    private static final int SPARE_CHARS = 16;

    private byte[] bytes = new byte[INITIAL_BYTES];
    private int length;

    /// The size above [#KEPT_BYTES] for which heap has been taken from the allowance: here of the bytes, below of their
    /// text.
    private int paidBytes;

    private int paidTextBytes;
    private byte[] recentBuffer = {};
    private byte[] encodedBuffer = {};
    private final ParserBuffers parser = new ParserBuffers();
    private final LargeBuffers large;
    private TextBuffer decoded = new TextBuffer(INITIAL_BYTES);
    private final TextBuffer joined = new TextBuffer(INITIAL_BYTES);

    /// @param large shared with other workspaces
    Workspace(LargeBuffers large) {
        this.large = large;
    }

    /// Creates the workspace for a message inside the message of this one.
    Workspace createNested() {
        return new Workspace(large);
    }

    /// Takes heap for the text of the bytes read. If the allowance does not have enough, the end of the bytes
    /// is ignored.
    void payForText(Allowance allowance) {
        boolean isLarger = length > KEPT_BYTES && length > paidTextBytes;
        if (isLarger
                && !allowance.takeHeap(
                        Limit.PART_TEXT_BYTES, (long) (length - paidTextBytes) * HEAP_BYTES_PER_TEXT_BYTE)) {
            length = Math.max(KEPT_BYTES, paidTextBytes);
        }
        paidTextBytes = Math.max(paidTextBytes, length > KEPT_BYTES ? length : 0);
    }

    /// Clears the buffer of [#decoded] and returns it, large enough for the text of the bytes read.
    TextBuffer clearDecoded() {
        if (length > KEPT_BYTES && decoded.capacity() < length) {
            decoded = new TextBuffer(large.takeChars(length + SPARE_CHARS));
        }
        decoded.clear();
        return decoded;
    }

    /// The decoded text of the part.
    TextBuffer decoded() {
        return decoded;
    }

    /// The text of an HTML part, joined over its tags.
    TextBuffer joined() {
        return joined;
    }

    byte[] bytes() {
        return bytes;
    }

    /// The buffer for the most recent bytes of a message; created on first use, because a nested message has
    /// its own.
    byte[] recentBuffer() {
        if (recentBuffer.length == 0) {
            recentBuffer = new byte[RecentBytes.REMEMBERED_BYTES];
        }
        return recentBuffer;
    }

    /// The buffer of the transfer decoder. One is used at a time, because a nested message has its own
    /// workspace.
    byte[] encodedBuffer() {
        if (encodedBuffer.length == 0) {
            encodedBuffer = new byte[ENCODED_BYTES];
        }
        return encodedBuffer;
    }

    ParserBuffers parser() {
        return parser;
    }

    /// Bytes read so far.
    int length() {
        return length;
    }

    /// Forgets the bytes of the previous part or message.
    void clear() {
        length = 0;
    }

    /// Forgets the bytes read before and reads up to `count` bytes.
    ///
    /// @param count at most [#INITIAL_BYTES]
    void read(InputStream stream, int count) throws IOException {
        Objects.checkFromToIndex(0, count, bytes.length);
        clear();
        fill(stream, count);
    }

    /// Reads more until there are `most` bytes, or as many as the heap of the allowance permits.
    ///
    /// @param limit the limit that is reached if the heap is not enough
    void readUpTo(InputStream stream, int maxBytes, Allowance allowance, Limit limit) throws IOException {
        int room = Math.min(maxBytes, bytes.length);
        fill(stream, room);
        while (length == room && length < maxBytes) {
            int size = (int) Math.min(maxBytes, (long) length * 4);
            if (size > KEPT_BYTES && size > paidBytes) {
                if (!allowance.takeHeap(limit, size - paidBytes)) {
                    return;
                }
                paidBytes = size;
            }
            bytes = size > bytes.length ? grow(size) : bytes;
            room = Math.min(maxBytes, bytes.length);
            fill(stream, room);
        }
    }

    /// Keeps the last of the bytes read, as the first ones of the next window.
    void keepLast(int count) {
        System.arraycopy(bytes, length - count, bytes, 0, count);
        length = count;
    }

    private void fill(InputStream stream, int maxBytes) throws IOException {
        while (length < maxBytes) {
            int read = stream.read(bytes, length, Math.min(bytes.length, maxBytes) - length);
            if (read < 0) {
                return;
            }
            length += read;
        }
    }

    private byte[] grow(int size) {
        if (size <= KEPT_BYTES) {
            return Arrays.copyOf(bytes, size);
        }
        byte[] larger = large.takeBytes(size);
        System.arraycopy(bytes, 0, larger, 0, length);
        return larger;
    }

    /// Reads to the end and discards the bytes; stops when the allowance is used up.
    void skip(InputStream stream, Allowance allowance) throws IOException {
        int read = stream.read(bytes, 0, bytes.length);
        while (read >= 0 && allowance.spend(read)) {
            read = stream.read(bytes, 0, bytes.length);
        }
    }

    boolean isWorthKeeping() {
        return bytes.length <= KEPT_BYTES && decoded.capacity() <= KEPT_BYTES && joined.capacity() <= KEPT_BYTES;
    }

    /// Returns the buffers of a workspace that is not kept.
    void giveBackLarge() {
        if (bytes.length > KEPT_BYTES) {
            large.giveBack(bytes);
        }
        if (decoded.capacity() > KEPT_BYTES) {
            large.giveBack(decoded.array());
        }
    }
}
