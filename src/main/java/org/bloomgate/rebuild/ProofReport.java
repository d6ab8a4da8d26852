package org.bloomgate.rebuild;

/// What was asked of the written files before they were published.
///
/// @param filterKeys keys asked of the filters: all of them
/// @param filterMisses of these, keys that a filter denied
/// @param storeKeys keys asked of the exact store, evenly spread
/// @param storeMisses of these, keys whose listings were not as written
public record ProofReport(long filterKeys, long filterMisses, long storeKeys, long storeMisses) {

    public boolean holds() {
        return filterMisses == 0 && storeMisses == 0;
    }
}
