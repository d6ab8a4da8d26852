package org.bloomgate.core.key;

import java.util.Optional;

/// The result of converting a feed entry.
public sealed interface FeedKey {

    /// The one, most specific key of the entry.
    record Taken(Key key) implements FeedKey {}

    /// A key that is not used because it would list a whole public suffix.
    record Held(Key key, String reason) implements FeedKey {}

    /// An entry without a key.
    record Rejected(String reason) implements FeedKey {}

    /// The key, whether it is used or held; empty for a rejected entry.
    default Optional<Key> toKey() {
        return switch (this) {
            case Taken(Key key) -> Optional.of(key);
            case Held(Key key, String _) -> Optional.of(key);
            case Rejected _ -> Optional.empty();
        };
    }

    /// @param reason why the entry has no key
    static FeedKey of(Optional<Key> key, String reason) {
        return key.<FeedKey>map(Taken::new).orElseGet(() -> new Rejected(reason));
    }
}
