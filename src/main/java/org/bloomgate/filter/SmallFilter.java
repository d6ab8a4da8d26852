package org.bloomgate.filter;

import java.lang.foreign.MemorySegment;

/// A filter over a few thousand keys that stands within something larger, a part of an index say, which keeps its
/// octets: two lines of 512 bits and 12 bits a key. With [#bytes(int)] octets its false positive rate is about 1e-3.
///
/// Not thread-safe while keys are added.
///
/// @param body a multiple of [FilterSizing#LINE_BYTES] octets, all zero before the first key
public record SmallFilter(MemorySegment body) {
    private static final int BITS_PER_KEY = 16;
    private static final int BITS_PER_LINE = 6;

    public SmallFilter {
        if (body.byteSize() == 0 || body.byteSize() % FilterSizing.LINE_BYTES != 0) {
            throw new IllegalArgumentException(body.byteSize() + " octets are no whole lines");
        }
    }

    /// Octets of a filter for so many keys.
    public static int bytes(int keys) {
        long lines = Math.max(1, ((long) keys * BITS_PER_KEY + FilterSizing.LINE_BITS - 1) / FilterSizing.LINE_BITS);
        return Math.toIntExact(lines * FilterSizing.LINE_BYTES);
    }

    /// @param keyHash of the key by [KeyHash] or another 64-bit hash of that quality
    public void add(long keyHash) {
        long second = TwoLine.second(keyHash);
        TwoLine.set(body, TwoLine.line(keyHash, lines()), keyHash, BITS_PER_LINE);
        TwoLine.set(body, TwoLine.line(second, lines()), second, BITS_PER_LINE);
    }

    /// False: surely not added.
    public boolean mightContain(long keyHash) {
        long second = TwoLine.second(keyHash);
        return TwoLine.missing(body, TwoLine.line(keyHash, lines()), keyHash, BITS_PER_LINE) == 0
                && TwoLine.missing(body, TwoLine.line(second, lines()), second, BITS_PER_LINE) == 0;
    }

    private long lines() {
        return body.byteSize() / FilterSizing.LINE_BYTES;
    }
}
