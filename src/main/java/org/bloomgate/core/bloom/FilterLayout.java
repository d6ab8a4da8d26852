package org.bloomgate.core.bloom;

import java.util.Arrays;
import java.util.Optional;
import org.bloomgate.base.config.Labelled;

/// Where the bits of a key are in a filter. Each layout has its own version of the file format, so that a
/// reader rejects a layout that it does not know.
public enum FilterLayout implements Labelled {
    /// Bits in two cache lines. Keys can be added while the filter is built, and filters with the same
    /// parameters can be united.
    TWO_LINE(1),

    /// Bits in one cache line, followed by a binary fuse filter of 16-bit fingerprints: a fifth smaller, but
    /// all keys must be known before the filter is built.
    LINE_FUSE(2);

    private final int code;

    FilterLayout(int code) {
        this.code = code;
    }

    /// The code in filter headers, for both the layout and the version of the format.
    int code() {
        return code;
    }

    static Optional<FilterLayout> ofCode(int code) {
        return Arrays.stream(values()).filter(layout -> layout.code == code).findFirst();
    }
}
