package org.bloomgate.core.bloom;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/// Small filters for tests.
final class Filters {
    static final int KIND = 2;
    static final int CANONICAL_FORM = 1;
    static final long SEED = 0x0123456789ABCDEFL;

    private Filters() {}

    static FilterParameters parameters(FilterSizing sizing) {
        return new FilterParameters(KIND, CANONICAL_FORM, SEED, sizing, Instant.parse("2026-11-21T02:03:05.678Z"));
    }

    static BloomFilterBuilder onHeap(FilterParameters parameters) {
        MemorySegment heap = MemorySegment.ofArray(new byte[Math.toIntExact(parameters.fileBytes())]);
        return new BloomFilterBuilder(heap, parameters);
    }

    static BloomFilterBuilder onHeap(long entries, double rate) {
        return onHeap(parameters(FilterSizing.twoLine(entries, rate)));
    }

    static void add(BloomFilterBuilder builder, String key) {
        byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        builder.add(bytes, 0, bytes.length);
    }

    static boolean asks(BloomFilter filter, String key) {
        byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        return filter.mightContain(filter.hash().hash(bytes, 0, bytes.length));
    }

    /// Bytes of a finished file, to be changed by a test.
    static byte[] file(BloomFilter filter) {
        return filter.file().toArray(ValueLayout.JAVA_BYTE);
    }
}
