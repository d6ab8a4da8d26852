package org.bloomgate.core.bloom;

/// Inserts keys into the body of a filter file, depending on its layout. Not thread-safe.
sealed interface Insertion permits FuseInsertion, SortedFuseInsertion, TwoLineInsertion {

    void add(long keyHash);

    /// See [BloomFilterBuilder#inBulk].
    void inBulk(long memoryBytes, Workers workers);

    /// Inserts all keys that are still pending. Nothing may be added afterwards.
    void finish();
}
