package org.bloomgate.snapshot;

import java.util.Set;
import org.bloomgate.key.KeyKind;
import org.bloomgate.key.Match;
import org.bloomgate.key.Use;

/// What a feed gave to a snapshot: `lines = entries + comments + rejects + held`.
///
/// @param source as configured
/// @param keys handed on by the feed, before duplicates over all feeds are removed
public record ManifestFeed(
        String name,
        KeyKind kind,
        String category,
        Match match,
        Set<Use> use,
        String cadence,
        String source,
        long lines,
        long entries,
        long comments,
        long rejects,
        long held,
        long keys) {
    public ManifestFeed {
        use = Set.copyOf(use);
    }
}
