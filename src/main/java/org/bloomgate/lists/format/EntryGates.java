package org.bloomgate.lists.format;

import java.util.Map;
import java.util.Optional;
import org.bloomgate.core.key.Key;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.SourceStamp;

/// The gates that hold back single entries of feeds.
///
/// @param allow names that no feed lists
/// @param shared hosts that no feed lists as a whole
/// @param entries keys that one feed is not to list, trusted or not, each with the reason
public record EntryGates(AllowList allow, SharedHosts shared, Map<Key, String> entries) {
    public EntryGates {
        entries = Map.copyOf(entries);
    }

    public EntryGates(AllowList allow, SharedHosts shared) {
        this(allow, shared, Map.of());
    }

    /// Equal while the same entries are held back of every feed.
    String digest() {
        return allow.digest() + shared.digest();
    }

    /// Why the feed's entry for the key is held back; empty when it is not.
    public Optional<String> holding(Feed feed, Key key) {
        Optional<String> reason = Optional.ofNullable(entries.get(key));
        return reason.isPresent() || feed.trusted()
                ? reason
                : holding(key).or(() -> SourceStamp.isRemote(feed) ? reserved(key) : Optional.empty());
    }

    private static Optional<String> reserved(Key key) {
        return key.kind()
                .rules()
                .wholeHost(key.text())
                .filter(ReservedNames::hold)
                .map(host -> "would list " + host + ", a reserved name (RFC 2606)");
    }

    /// Why an entry for the key is held back, whichever feed lists it; empty if it is not.
    public Optional<String> holding(Key key) {
        return allow.holding(key)
                .map(name -> "would list " + name + ", which is on the allow list")
                .or(() -> allow.holdingNetwork(key))
                .or(() -> shared.holding(key).map(host -> "would list " + host + ", a host that strangers share"));
    }
}
