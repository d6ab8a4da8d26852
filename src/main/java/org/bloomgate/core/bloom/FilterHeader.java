package org.bloomgate.core.bloom;

import java.util.List;

/// Everything the header of a filter file says.
///
/// @param inserted number of keys inserted
/// @param setBits number of bits that are one in the lines
/// @param canaries bytes of a few keys known to be present
public record FilterHeader(FilterParameters parameters, long inserted, long setBits, List<byte[]> canaries) {

    public FilterHeader {
        canaries = canaries.stream().map(byte[]::clone).toList();
    }

    /// Share of the bits of the lines that are one, 0..1; near one half at capacity.
    public double fill() {
        return (double) setBits / FilterSizing.LINE_BITS / parameters.sizing().lines();
    }

    /// Bits of the body for each key inserted; infinite for an empty filter.
    public double bitsPerEntry() {
        return (double) parameters.sizing().bodyBytes() * Byte.SIZE / inserted;
    }

    /// False positive rate to expect, per key, from the number of keys inserted.
    public double predictedRate() {
        return parameters.sizing().predictedRate(inserted);
    }

    /// True when that rate is above the one designed for, because more keys came than counted.
    public boolean aboveTarget() {
        return predictedRate() > parameters.sizing().targetRate();
    }
}
