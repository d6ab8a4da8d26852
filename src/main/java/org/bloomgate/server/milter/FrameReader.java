package org.bloomgate.server.milter;

import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.Arrays;
import java.util.Optional;
import org.bloomgate.base.net.ClientMemory;

/// Splits a stream into frames: a length of four bytes, most significant first, then as many bytes, the first
/// of them the command. The buffer grows with the received bytes, not with the stated length: the first bytes
/// of a TLS hello or an HTTP request would be a length of hundreds of megabytes.
final class FrameReader {
    /// The bound of the first frame, the option negotiation, which has 13 bytes.
    static final int MAX_FIRST_BYTES = 64;

    /// The bound of later frames. A chunk of the body has at most 65,535 bytes; a header field can be as long as the
    /// mail server allows.
    static final int MAX_BYTES = 1 << 20;

    private static final int INITIAL_BUFFER_BYTES = 4 * 1024;

    /// A larger buffer is released after its frame.
    private static final int MAX_IDLE_BUFFER_BYTES = 72 * 1024;

    private final ReadableByteChannel channel;
    private byte[] bytes = new byte[INITIAL_BUFFER_BYTES];
    private int from;
    private int to;
    private final ClientMemory memory = ClientMemory.ofProcess();
    private boolean hasMemory;

    FrameReader(ReadableByteChannel channel) {
        this.channel = channel;
    }

    /// Waits for the next frame. Empty if the peer has closed the connection between two frames.
    ///
    /// @param maxBytes of the command and its data
    /// @throws ProtocolException if its length is 0 or above the bound
    /// @throws EOFException if the peer has closed the connection inside it
    Optional<Frame> next(int maxBytes) throws IOException {
        resetBuffer();
        if (!fill(Integer.BYTES)) {
            if (from == to) {
                return Optional.empty();
            }
            throw new EOFException("connection closed inside a length");
        }
        int length = ByteBuffer.wrap(bytes, from, Integer.BYTES).getInt();
        if (length < 1 || length > maxBytes) {
            throw new ProtocolException(
                    "a frame of " + Integer.toUnsignedString(length) + " bytes; it must have 1 to " + maxBytes);
        }
        if (!fill(Integer.BYTES + length)) {
            throw new EOFException("connection closed inside a frame");
        }
        int command = from + Integer.BYTES;
        from = command + length;
        return Optional.of(new Frame(bytes[command], bytes, command + 1, from));
    }

    /// Reads until the buffer has this many bytes. False at the end of the stream.
    ///
    /// @throws ProtocolException if there is no memory for a frame that is larger than usual
    private boolean fill(int count) throws IOException {
        if (count > MAX_IDLE_BUFFER_BYTES && !hasMemory) {
            hasMemory = memory.take(MAX_BYTES);
            if (!hasMemory) {
                throw new ProtocolException("no memory for a frame of " + count + " bytes for now");
            }
        }
        while (to - from < count) {
            makeRoom();
            int read = channel.read(ByteBuffer.wrap(bytes, to, bytes.length - to));
            if (read < 0) {
                return false;
            }
            to += read;
        }
        return true;
    }

    private void makeRoom() {
        if (to == bytes.length && from == 0) {
            bytes = Arrays.copyOf(bytes, Math.min(2 * bytes.length, Integer.BYTES + MAX_BYTES));
        } else if (to == bytes.length) {
            System.arraycopy(bytes, from, bytes, 0, to - from);
            to -= from;
            from = 0;
        }
    }

    /// Releases the memory of a large frame.
    void releaseMemory() {
        if (hasMemory) {
            hasMemory = false;
            memory.giveBack(MAX_BYTES);
        }
    }

    private void resetBuffer() {
        if (from == to) {
            from = 0;
            to = 0;
            bytes = bytes.length > MAX_IDLE_BUFFER_BYTES ? new byte[INITIAL_BUFFER_BYTES] : bytes;
            releaseMemory();
        }
    }
}
