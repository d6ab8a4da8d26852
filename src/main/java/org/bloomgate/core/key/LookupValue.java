package org.bloomgate.core.key;

import java.util.List;
import java.util.Optional;

/// A single value that is looked up, in canonical form.
///
/// @param text canonical; empty for what must not be seen
/// @param keys the keys that it may be listed by
public record LookupValue(String text, Keys keys) {

    /// Appends keys to the identifier begun last.
    @FunctionalInterface
    public interface Keys {
        void append(PublicSuffixes suffixes, KeyBatch batch);
    }

    /// One that is listed by a single key.
    static List<LookupValue> whole(Optional<Key> key) {
        return key.map(found -> new LookupValue(found.text(), (_, batch) -> append(found, batch))).stream()
                .toList();
    }

    private static void append(Key key, KeyBatch batch) {
        byte[] bytes = key.bytes();
        batch.append(bytes, 0, bytes.length).endKey(key.kind(), true);
    }
}
