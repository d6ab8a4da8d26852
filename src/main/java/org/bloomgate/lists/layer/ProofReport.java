package org.bloomgate.lists.layer;

import java.util.Optional;

/// The checks of the written files before they were published.
///
/// @param filterKeys keys tested in the filters: all of them
/// @param filterMisses of these, keys that a filter denied
/// @param storeKeys keys looked up in the exact store, evenly spread
/// @param storeMisses of these, keys whose listings were not as written
/// @param refusal why a file could not even be opened
public record ProofReport(
        long filterKeys, long filterMisses, long storeKeys, long storeMisses, Optional<String> refusal) {

    public boolean holds() {
        return filterMisses == 0 && storeMisses == 0 && refusal.isEmpty();
    }

    /// A sentence for the report.
    public String describe() {
        return filterMisses + " of " + filterKeys + " keys denied by their filter, " + storeMisses + " of " + storeKeys
                + " not as written in the store"
                + refusal.map(why -> ", " + why).orElse("");
    }
}
