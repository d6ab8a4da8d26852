package org.bloomgate.core.bloom;

import java.util.Arrays;
import java.util.Optional;

/// The position of a key's bits in a filter. Each layout has its own version of the file format, so that a
/// reader refuses a layout it does not know.
public enum FilterLayout {
    /// Bits in two cache lines. Keys can be added for as long as it is built, and filters of the same parameters
    /// united.
    TWO_LINE(1, "two-line"),

    /// Bits in one cache line, and behind it a binary fuse filter of 16-bit fingerprints: a fifth smaller, for sets
    /// that are known before the first key.
    LINE_FUSE(2, "line-fuse");

    private final int code;
    private final String label;

    FilterLayout(int code, String label) {
        this.code = code;
        this.label = label;
    }

    /// Stands in filter headers, as the layout and as the version of the format.
    int code() {
        return code;
    }

    /// Stands in manifests and reports.
    public String label() {
        return label;
    }

    static Optional<FilterLayout> ofCode(int code) {
        return Arrays.stream(values()).filter(layout -> layout.code == code).findFirst();
    }
}
