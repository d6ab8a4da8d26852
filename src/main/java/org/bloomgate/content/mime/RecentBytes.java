package org.bloomgate.content.mime;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.Arrays;
import java.util.Optional;
import org.bloomgate.base.io.BlockStream;
import org.bloomgate.core.limit.Allowance;

/// The stream of a message, which remembers the bytes that it returned last: a parser that gives up has read
/// ahead, and these bytes are then scanned raw. Spends work for every byte, and ends early when the allowance
/// is used up.
final class RecentBytes extends BlockStream {
    /// More than the parser has in its buffers for the first containers.
    static final int REMEMBERED_BYTES = 16 * 1024;

    /// The bytes remembered for each level of containers, with a reserve.
    private static final int REMEMBERED_BYTES_PER_CONTAINER = 5 * 1024;

    private final InputStream source;
    private final Allowance allowance;
    private byte[] recent;
    private int length;
    private final boolean isWholeMessage;
    private int unitsPerByte = 1;
    private boolean sourceFailed;
    private Optional<RuntimeException> sourceFault = Optional.empty();

    /// The stream of a message inside another message, whose bytes are counted already.
    RecentBytes(InputStream source, Allowance allowance) {
        this(source, allowance, new byte[REMEMBERED_BYTES], false);
    }

    private RecentBytes(InputStream source, Allowance allowance, byte[] buffer, boolean isWholeMessage) {
        this.source = source;
        this.allowance = allowance;
        this.recent = buffer;
        this.isWholeMessage = isWholeMessage;
    }

    /// The stream of a whole message; the allowance grows with each of its bytes.
    ///
    /// @param buffer of [#REMEMBERED_BYTES] or more
    static RecentBytes ofMessage(InputStream source, Allowance allowance, byte[] buffer) {
        return new RecentBytes(source, allowance, buffer, true);
    }

    /// Sets the cost of a byte from here on: one unit for every container that it passes through, each of which
    /// has its own buffers.
    void setOpenContainers(int count) {
        this.unitsPerByte = count;
        int needed = count * REMEMBERED_BYTES_PER_CONTAINER;
        if (needed > recent.length) {
            recent = Arrays.copyOf(recent, Math.max(needed, recent.length * 2));
        }
    }

    /// Whether the source itself threw an IOException: then the message could not be read, whatever its
    /// content is.
    boolean hasSourceFailed() {
        return sourceFailed;
    }

    /// Throws an exception of the source again, because the readers in between handled it as a fault of the message.
    void rethrowSourceFault() {
        if (sourceFault.isPresent()) {
            throw sourceFault.get();
        }
    }

    @Override
    public int read(byte[] target, int offset, int count) throws IOException {
        if (allowance.exhausted()) {
            return -1;
        }
        int read;
        try {
            read = source.read(target, offset, count);
        } catch (IOException e) {
            sourceFailed = true;
            throw e;
        } catch (RuntimeException e) {
            sourceFault = Optional.of(e);
            throw e;
        }
        if (read > 0) {
            allowance.inspects(isWholeMessage ? read : 0);
            allowance.spend((long) read * unitsPerByte);
            remember(target, offset, read);
        }
        return read;
    }

    private void remember(byte[] bytes, int offset, int count) {
        if (count >= recent.length) {
            System.arraycopy(bytes, offset + count - recent.length, recent, 0, recent.length);
            length = recent.length;
            return;
        }
        int keptBytes = Math.min(length, recent.length - count);
        if (keptBytes > 0 && keptBytes < length) {
            System.arraycopy(recent, length - keptBytes, recent, 0, keptBytes);
        }
        System.arraycopy(bytes, offset, recent, keptBytes, count);
        length = keptBytes + count;
    }

    /// Returns the remembered bytes, then the rest of the source.
    InputStream openAgain() {
        byte[] remembered = new byte[length];
        System.arraycopy(recent, 0, remembered, 0, length);
        return new SequenceInputStream(new ByteArrayInputStream(remembered), this);
    }
}
