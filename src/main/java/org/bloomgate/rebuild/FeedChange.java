package org.bloomgate.rebuild;

import java.util.List;

/// How the listings of one feed differ from those of the snapshot before.
///
/// @param before listings of the snapshot before
/// @param added listings the snapshot before did not hold
/// @param removed listings that only the snapshot before held
/// @param retained listings that the feed holds no longer and that live on, as its retention says
/// @param addedKeys the first of those added; none of passwords
/// @param removedKeys the first of those removed; none of passwords
public record FeedChange(
        String feed,
        long before,
        long added,
        long removed,
        long retained,
        List<String> addedKeys,
        List<String> removedKeys) {
    public FeedChange {
        addedKeys = List.copyOf(addedKeys);
        removedKeys = List.copyOf(removedKeys);
    }
}
