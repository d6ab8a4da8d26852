package org.bloomgate.lists.snapshot;

import java.util.HexFormat;
import org.bloomgate.core.bloom.FilterHeader;
import org.bloomgate.core.bloom.FilterLayout;
import org.bloomgate.core.bloom.FilterParameters;
import org.bloomgate.core.bloom.FilterSizing;
import org.bloomgate.core.key.KeyKind;

/// The parameters of one filter, equal to those in its header.
///
/// @param file name of the filter in the snapshot
/// @param seed 16 hex digits: JSON readers lose integers above 2^53
/// @param layout left out of the JSON if it is the two-line layout
/// @param inserted number of keys
public record ManifestFilter(
        KeyKind kind,
        String file,
        String seed,
        FilterLayout layout,
        long lines,
        int bitsPerKey,
        long inserted,
        long capacity,
        double targetRate,
        long setBits) {

    static ManifestFilter of(KeyKind kind, FilterHeader header) {
        FilterParameters parameters = header.parameters();
        FilterSizing sizing = parameters.sizing();
        return new ManifestFilter(
                kind,
                fileName(kind),
                HexFormat.of().toHexDigits(parameters.seed()),
                sizing.layout(),
                sizing.lines(),
                sizing.bitsPerKey(),
                header.inserted(),
                sizing.capacity(),
                sizing.targetRate(),
                header.setBits());
    }

    /// The sizing, as in its header.
    public FilterSizing toSizing() {
        return new FilterSizing(layout, lines, bitsPerKey, capacity, targetRate);
    }

    static String fileName(KeyKind kind) {
        return kind.label() + ".bloom";
    }
}
