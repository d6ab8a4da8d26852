package org.bloomgate.server.milter;

import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.Arrays;
import java.util.Optional;
import org.bloomgate.base.net.ClientMemory;

/// Cuts a stream into frames: four bytes of length, most significant first, then this many, the first of them
/// the command. The buffer grows with what arrives, never with what a length word announces: those of a TLS
/// hello or of an HTTP request read as hundreds of megabytes.
final class FrameReader {
    /// The longest first frame, a negotiation of 13 bytes.
    static final int MAX_FIRST_BYTES = 64;

    /// The longest later frame. A piece of a body has 65,535 bytes, a header field as many as the mail server
    /// allows.
    static final int MAX_BYTES = 1 << 20;

    private static final int FIRST_BYTES = 4 * 1024;

    /// A buffer that a frame made larger than this is given back after it.
    private static final int KEPT_BYTES = 72 * 1024;

    private final ReadableByteChannel channel;
    private byte[] bytes = new byte[FIRST_BYTES];
    private int from;
    private int to;
    private final ClientMemory memory = ClientMemory.ofProcess();
    private boolean enlarged;

    FrameReader(ReadableByteChannel channel) {
        this.channel = channel;
    }

    /// Waits for the next frame. Empty when the peer has closed between two frames.
    ///
    /// @param maxBytes of the command and its data
    /// @throws ProtocolException when its length is 0 or above the bound
    /// @throws EOFException when the peer has closed inside it
    Optional<Frame> next(int maxBytes) throws IOException {
        release();
        if (!has(Integer.BYTES)) {
            if (from == to) {
                return Optional.empty();
            }
            throw new EOFException("connection closed inside a length");
        }
        int length = ByteBuffer.wrap(bytes, from, Integer.BYTES).getInt();
        if (length < 1 || length > maxBytes) {
            throw new ProtocolException("a frame of " + Integer.toUnsignedString(length) + " bytes, at most " + maxBytes
                    + " are taken here");
        }
        if (!has(Integer.BYTES + length)) {
            throw new EOFException("connection closed inside a frame");
        }
        int command = from + Integer.BYTES;
        from = command + length;
        return Optional.of(new Frame(bytes[command], bytes, command + 1, from));
    }

    /// @throws ProtocolException when there is no memory for a frame that is larger than usual
    private boolean has(int count) throws IOException {
        if (count > KEPT_BYTES && !enlarged) {
            enlarged = memory.take(MAX_BYTES);
            if (!enlarged) {
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

    /// Gives back the memory of a large frame.
    void close() {
        if (enlarged) {
            enlarged = false;
            memory.giveBack(MAX_BYTES);
        }
    }

    private void release() {
        if (from == to) {
            from = 0;
            to = 0;
            bytes = bytes.length > KEPT_BYTES ? new byte[FIRST_BYTES] : bytes;
            close();
        }
    }
}
