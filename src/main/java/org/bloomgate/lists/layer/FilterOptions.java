package org.bloomgate.lists.layer;

/// The `filters` section of the configuration.
///
/// @param memory bytes for the filters of all layers together, from which the false positive rates follow; 0
///     for fixed rates and as much memory as they need
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
