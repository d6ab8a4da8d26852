package org.bloomgate.core.bloom;

import java.util.List;

/// The content of the header of a filter file.
///
/// @param inserted number of keys inserted
/// @param setBits number of bits that are one in the lines
/// @param canaries bytes of a few keys known to be present
public record FilterHeader(FilterParameters parameters, long inserted, long setBits, List<byte[]> canaries) {

    public FilterHeader {
        canaries = canaries.stream().map(byte[]::clone).toList();
    }

    /// The share of the bits in the lines that are one, 0..1; near one half at capacity.
    public double fill() {
        return (double) setBits / FilterSizing.LINE_BITS / parameters.sizing().lines();
    }

    /// The bits of the body for each inserted key; infinite for an empty filter.
    public double bitsPerEntry() {
        return (double) parameters.sizing().bodyBytes() * Byte.SIZE / inserted;
    }

    /// The expected false positive rate per key, from the number of inserted keys.
    public double predictedRate() {
        return parameters.sizing().predictedRate(inserted);
    }

    /// Whether that rate is above the target, because more keys were inserted than planned.
    public boolean aboveTarget() {
        return predictedRate() > parameters.sizing().targetRate();
    }
}
