package org.bloomgate.content.archive;

import java.util.Arrays;
import java.util.function.LongPredicate;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.Limit;

/// Unpacks deflated bytes (RFC 1951, or RFC 1950 with its header) up to a bound. The bytes before any damage
/// are kept.
///
/// Uses memory outside the heap until it is closed.
public final class Inflation implements AutoCloseable {
    private static final int FIRST_BYTES = 4096;

    private final Inflater inflater;
    private final int available;
    private final LongPredicate spend;
    private final Allowance allowance;
    private final Limit reader;
    private byte[] bytes = new byte[FIRST_BYTES];
    private int length;
    private boolean damaged;
    private boolean refused;

    /// @param raw whether the header of RFC 1950 is absent
    /// @param spend called with the number of unpacked bytes; false stops the unpacking
    /// @param allowance for the heap of the bytes, which the caller gives back
    /// @param reader the limit that is reached if there is not enough heap
    public Inflation(
            byte[] packed, int from, int to, boolean raw, LongPredicate spend, Allowance allowance, Limit reader) {
        this.inflater = new Inflater(raw);
        this.available = to - from;
        this.spend = spend;
        this.allowance = allowance;
        this.reader = reader;
        inflater.setInput(packed, from, available);
    }

    /// Unpacks until there are `most` bytes, or to the end.
    public Inflation readTo(int most) {
        try {
            while (length < most && !inflater.finished() && !damaged && !refused) {
                if (length == bytes.length && !grow((int) Math.min(most, length * 4L))) {
                    return this;
                }
                int more = inflater.inflate(bytes, length, Math.min(bytes.length, most) - length);
                length += more;
                damaged = more == 0 && !inflater.finished() && (inflater.needsInput() || inflater.needsDictionary());
                refused = !spend.test(more);
            }
        } catch (DataFormatException broken) {
            damaged = true;
        }
        return this;
    }

    private boolean grow(int size) {
        refused = !allowance.takeHeap(reader, size);
        if (!refused) {
            int before = bytes.length;
            bytes = Arrays.copyOf(bytes, size);
            allowance.heapBackTo(allowance.heap() - (before == FIRST_BYTES ? 0 : before));
        }
        return !refused;
    }

    public byte[] bytes() {
        return bytes;
    }

    public int length() {
        return length;
    }

    /// Whether the end was reached.
    public boolean finished() {
        return inflater.finished();
    }

    /// Whether the data has no end, or is damaged before it.
    public boolean damaged() {
        return damaged;
    }

    /// Whether the allowance was not enough for more bytes; then a limit is reached.
    public boolean refused() {
        return refused;
    }

    /// The number of packed bytes that were read.
    public int used() {
        return available - inflater.getRemaining();
    }

    @Override
    public void close() {
        inflater.end();
    }
}
