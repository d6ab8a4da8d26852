package org.bloomgate.lookup.remote;

import java.util.List;
import org.bloomgate.core.key.Key;

/// The request of `/v1/lookup`.
public record LookupQuestion(List<Item> items) {
    public static final String PATH = "/v1/lookup";

    /// @param kind label of the kind
    /// @param key canonical text; for a password or file, its digest in hex
    public record Item(String layer, String kind, String key) {
        @Override
        public String toString() {
            return "Item[" + layer + ", " + kind + "]";
        }
    }

    /// Returns the request for keys of one layer.
    public static LookupQuestion of(String layer, List<Key> keys) {
        return new LookupQuestion(keys.stream()
                .map(key -> new Item(layer, key.kind().label(), key.text()))
                .toList());
    }
}
