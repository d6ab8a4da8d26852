package org.bloomgate.core.key;

import java.util.List;
import java.util.Optional;

/// A single value that is looked up, in canonical form.
///
/// @param text canonical; empty for a secret value
/// @param keys the keys under which it may be listed
public record LookupValue(String text, Keys keys) {

    /// Appends keys to the last identifier of a batch.
    @FunctionalInterface
    public interface Keys {
        void append(PublicSuffixes suffixes, KeyBatch batch);
    }

    /// A value that is listed under a single key.
    static List<LookupValue> whole(Optional<Key> key) {
        return key.map(it -> new LookupValue(it.text(), (_, batch) -> append(it, batch))).stream()
                .toList();
    }

    private static void append(Key key, KeyBatch batch) {
        byte[] bytes = key.bytes();
        batch.append(bytes, 0, bytes.length).endKey(key.kind(), true);
    }
}
