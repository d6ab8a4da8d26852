package org.bloomgate.content.archive;

import java.util.Arrays;
import java.util.function.LongPredicate;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/// Deflated octets (RFC 1951, or RFC 1950 with its header) taken apart up to a bound. What came before
/// damage is kept.
///
/// Holds memory outside the heap until it is closed.
public final class Inflation implements AutoCloseable {
    private static final int FIRST_OCTETS = 4096;

    private final Inflater inflater;
    private final int available;
    private final LongPredicate spend;
    private byte[] octets = new byte[FIRST_OCTETS];
    private int length;
    private boolean damaged;

    /// @param raw without the header of RFC 1950
    /// @param spend asked for every octet unpacked; false ends it
    public Inflation(byte[] packed, int from, int to, boolean raw, LongPredicate spend) {
        this.inflater = new Inflater(raw);
        this.available = to - from;
        this.spend = spend;
        inflater.setInput(packed, from, available);
    }

    /// Unpacks until `most` octets are there or the end comes.
    public Inflation readTo(int most) {
        try {
            while (length < most && !inflater.finished() && !damaged) {
                if (length == octets.length) {
                    octets = Arrays.copyOf(octets, (int) Math.min(most, length * 4L));
                }
                int more = inflater.inflate(octets, length, Math.min(octets.length, most) - length);
                length += more;
                boolean stuck = more == 0 && (inflater.needsInput() || inflater.needsDictionary());
                damaged = stuck || !spend.test(more);
            }
        } catch (DataFormatException broken) {
            damaged = true;
        }
        return this;
    }

    public byte[] octets() {
        return octets;
    }

    public int length() {
        return length;
    }

    /// True when the end was reached.
    public boolean finished() {
        return inflater.finished();
    }

    /// True when there is no end, or no way to it.
    public boolean damaged() {
        return damaged;
    }

    /// Packed octets that were used.
    public int used() {
        return available - inflater.getRemaining();
    }

    @Override
    public void close() {
        inflater.end();
    }
}
