package org.bloomgate.core.bloom;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/// What the format promises to anyone who builds a filter in parts: with one set of parameters the bits of all
/// keys are the bits of the parts, united by OR.
class FilterUnionTest {
    @Test
    void theOredLinesOfPartsAreTheLinesOfTheFilterBuiltAtOnce() {
        FilterParameters parameters = Filters.parameters(FilterSizing.twoLine(2000, 1e-6));
        BloomFilterBuilder whole = Filters.onHeap(parameters);
        BloomFilterBuilder left = Filters.onHeap(parameters);
        BloomFilterBuilder right = Filters.onHeap(parameters);
        for (int i = 0; i < 2000; i++) {
            Filters.add(whole, "h" + i + ".example");
            Filters.add(i < 700 ? left : right, "h" + i + ".example");
        }
        byte[] united = lines(left);
        byte[] others = lines(right);
        for (int i = 0; i < united.length; i++) {
            united[i] |= others[i];
        }
        assertArrayEquals(lines(whole), united);
    }

    private static byte[] lines(BloomFilterBuilder builder) {
        byte[] file = Filters.file(builder.finish());
        return Arrays.copyOfRange(file, FilterFormat.HEADER_BYTES, file.length);
    }
}
