package org.bloomgate.rebuild;

import org.bloomgate.key.KeyKind;

/// What the snapshot holds of one kind.
///
/// @param keys unique ones, over all feeds
/// @param filterBytes length of the filter file
/// @param designRate false positive rate at capacity
/// @param predictedRate false positive rate with the keys there are
/// @param added keys that the snapshot before did not hold
/// @param removed keys that only the snapshot before held
public record KindReport(
        KeyKind kind, long keys, long filterBytes, double designRate, double predictedRate, long added, long removed) {}
