package org.bloomgate.content.archive;

import java.util.Arrays;
import java.util.function.LongPredicate;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.Limit;

/// Deflated bytes (RFC 1951, or RFC 1950 with its header) taken apart up to a bound. What came before
/// damage is kept.
///
/// Holds memory outside the heap until it is closed.
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

    /// @param raw without the header of RFC 1950
    /// @param spend called for the bytes unpacked; false ends it
    /// @param allowance pays for their heap, until it is given back there
    /// @param reader the limit when there is too little of it
    public Inflation(
            byte[] packed, int from, int to, boolean raw, LongPredicate spend, Allowance allowance, Limit reader) {
        this.inflater = new Inflater(raw);
        this.available = to - from;
        this.spend = spend;
        this.allowance = allowance;
        this.reader = reader;
        inflater.setInput(packed, from, available);
    }

    /// Unpacks until `most` bytes are there or the end comes.
    public Inflation readTo(int most) {
        try {
            while (length < most && !inflater.finished() && !damaged && !refused) {
                if (length == bytes.length && !grow((int) Math.min(most, length * 4L))) {
                    return this;
                }
                int more = inflater.inflate(bytes, length, Math.min(bytes.length, most) - length);
                length += more;
                damaged = more == 0 && (inflater.needsInput() || inflater.needsDictionary());
                refused = !spend.test(more);
            }
        } catch (DataFormatException broken) {
            damaged = true;
        }
        return this;
    }

    private boolean grow(int size) {
        refused = !allowance.takeHeap(reader, size);
        bytes = refused ? bytes : Arrays.copyOf(bytes, size);
        return !refused;
    }

    public byte[] bytes() {
        return bytes;
    }

    public int length() {
        return length;
    }

    /// True when the end was reached.
    public boolean finished() {
        return inflater.finished();
    }

    /// True if the data has no end, or is damaged before it.
    public boolean damaged() {
        return damaged;
    }

    /// True if the allowance has not enough for more; its limit is reached.
    public boolean refused() {
        return refused;
    }

    /// Packed bytes that were used.
    public int used() {
        return available - inflater.getRemaining();
    }

    @Override
    public void close() {
        inflater.end();
    }
}
