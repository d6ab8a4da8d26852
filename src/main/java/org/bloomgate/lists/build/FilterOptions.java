package org.bloomgate.lists.build;

/// The `filters` section of the configuration.
///
/// @param memory bytes that the filters of all layers may have together; 0 for as many as the rates ask for. When
///     set, the rates follow from it
public record FilterOptions(long memory) {
    public FilterOptions {
        if (memory < 0) {
            throw new IllegalArgumentException("memory must not be negative");
        }
    }

    public static FilterOptions defaults() {
        return new FilterOptions(0);
    }
}
