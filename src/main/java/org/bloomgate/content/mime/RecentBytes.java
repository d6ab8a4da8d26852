package org.bloomgate.content.mime;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.Arrays;
import java.util.Optional;
import org.bloomgate.core.limit.Allowance;

/// The message's stream, remembering the bytes last handed out: a parser that gives up has read ahead, and what it
/// swallowed is scanned raw. Pays for every byte; ends early when the allowance is spent.
final class RecentBytes extends BlockStream {
    /// More than the parser holds in its buffers for the first containers.
    static final int REMEMBERED_BYTES = 16 * 1024;

    /// The bytes kept for each level of containers, with a reserve.
    private static final int REMEMBERED_OF_CONTAINER = 5 * 1024;

    private final InputStream source;
    private final Allowance allowance;
    private byte[] recent;
    private int length;
    private final boolean whole;
    private int unitsPerByte = 1;
    private boolean failed;
    private Optional<RuntimeException> broken = Optional.empty();

    /// A message within another one, whose bytes have been counted.
    RecentBytes(InputStream source, Allowance allowance) {
        this(source, allowance, new byte[REMEMBERED_BYTES], false);
    }

    private RecentBytes(InputStream source, Allowance allowance, byte[] buffer, boolean whole) {
        this.source = source;
        this.allowance = allowance;
        this.recent = buffer;
        this.whole = whole;
    }

    /// The bytes of a whole message; the allowance grows with each.
    ///
    /// @param buffer of [#REMEMBERED_BYTES] or more
    static RecentBytes ofMessage(InputStream source, Allowance allowance, byte[] buffer) {
        return new RecentBytes(source, allowance, buffer, true);
    }

    /// The cost of a byte from here on: one unit for every container it passes through, each with its own
    /// buffers.
    void containers(int open) {
        this.unitsPerByte = open;
        int needed = open * REMEMBERED_OF_CONTAINER;
        if (needed > recent.length) {
            recent = Arrays.copyOf(recent, Math.max(needed, recent.length * 2));
        }
    }

    /// True when the source itself threw: the message could not be read, whatever it says.
    boolean failed() {
        return failed;
    }

    /// Throws an exception of the source again, as readers in between took it for a fault of the message.
    void requireSound() {
        if (broken.isPresent()) {
            throw broken.get();
        }
    }

    @Override
    public int read(byte[] target, int offset, int wanted) throws IOException {
        if (allowance.exhausted()) {
            return -1;
        }
        int read;
        try {
            read = source.read(target, offset, wanted);
        } catch (IOException e) {
            failed = true;
            throw e;
        } catch (RuntimeException e) {
            broken = Optional.of(e);
            throw e;
        }
        if (read > 0) {
            allowance.inspects(whole ? read : 0);
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
        int kept = Math.min(length, recent.length - count);
        if (kept > 0 && kept < length) {
            System.arraycopy(recent, length - kept, recent, 0, kept);
        }
        System.arraycopy(bytes, offset, recent, kept, count);
        length = kept + count;
    }

    /// The remembered bytes again, then the rest of the source.
    InputStream again() {
        byte[] remembered = new byte[length];
        System.arraycopy(recent, 0, remembered, 0, length);
        return new SequenceInputStream(new ByteArrayInputStream(remembered), this);
    }
}
