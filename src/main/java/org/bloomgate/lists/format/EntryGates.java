package org.bloomgate.lists.format;

import java.util.Map;
import java.util.Optional;
import org.bloomgate.core.key.Key;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.SourceStamp;

/// The gates that hold back single entries of feeds.
///
/// @param allow names that no feed may list
/// @param shared hosts that no feed may list as a whole
/// @param entries keys that are held back for a single feed, trusted or not, each with the reason
public record EntryGates(AllowList allow, SharedHosts shared, Map<Key, String> entries) {
    public EntryGates {
        entries = Map.copyOf(entries);
    }

    public EntryGates(AllowList allow, SharedHosts shared) {
        this(allow, shared, Map.of());
    }

    /// A digest, equal as long as the same entries of every feed are held back.
    String computeDigest() {
        return allow.computeDigest() + shared.digest();
    }

    /// Why the feed's entry for the key is held back; empty if it is not.
    public Optional<String> findHoldReason(Feed feed, Key key) {
        Optional<String> reason = Optional.ofNullable(entries.get(key));
        return reason.isPresent() || feed.trusted()
                ? reason
                : findHoldReason(key).or(() -> SourceStamp.isRemote(feed) ? findReservedReason(key) : Optional.empty());
    }

    private static Optional<String> findReservedReason(Key key) {
        return key.kind()
                .rules()
                .wholeHost(key.text())
                .filter(ReservedNames::contain)
                .map(host -> "would list " + host + ", a reserved name (RFC 2606)");
    }

    /// Why an entry for the key is held back, whichever feed lists it; empty if it is not.
    public Optional<String> findHoldReason(Key key) {
        return allow.findAllowedName(key)
                .map(name -> "would list " + name + ", which is on the allow list")
                .or(() -> allow.findNetworkHoldReason(key))
                .or(() -> shared.sharedHost(key).map(host -> "would list " + host + ", a host that strangers share"));
    }
}
