package org.bloomgate.feed;

import java.util.Optional;
import java.util.Set;
import org.bloomgate.key.KeyKind;
import org.bloomgate.key.Match;
import org.bloomgate.key.Use;

/// One entry of `feeds.yaml`.
///
/// @param source a path relative to the working folder, an `http:` or `https:` URL, or `-` for stdin
/// @param column of a CSV feed that holds the value, by header name
/// @param trusted lifts the allow-list gate for this feed
public record Feed(
        String name,
        KeyKind kind,
        FeedFormat format,
        String source,
        String category,
        Match match,
        Cadence cadence,
        Set<Use> use,
        boolean trusted,
        Optional<String> column) {
    public Feed {
        use = Set.copyOf(use);
    }
}
