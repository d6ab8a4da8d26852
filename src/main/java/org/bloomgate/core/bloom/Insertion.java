package org.bloomgate.core.bloom;

/// Brings keys into the body of a filter file, by its layout. Not thread-safe.
sealed interface Insertion permits FuseInsertion, TwoLineInsertion {

    void add(long keyHash);

    /// As [BloomFilterBuilder#inBulk].
    void inBulk(long memoryBytes, Workers workers);

    /// All that was added is in the body. Nothing is added afterwards.
    void finish();
}
