package org.bloomgate.filter;

/// Read-only view of a filter. Immutable, thread-safe; a query allocates nothing.
public final class BloomFilter {
    private final KeyHash hash;

    BloomFilter(KeyHash hash) {
        this.hash = hash;
    }

    public KeyHash hash() {
        return hash;
    }

    /// False: surely not inserted.
    public boolean mightContain(long keyHash) {
        return keyHash != 0;
    }
}
