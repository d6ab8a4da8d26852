package org.bloomgate.lookup.tier;

import static java.util.stream.Collectors.toUnmodifiableSet;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;

/// The exact tier of the layer `local`: what operators list, in memory. Immutable and thread-safe.
final class LocalListings implements ExactLookup, OrderedKeyStore {
    private final Map<Key, Listing> byKey;
    private final NavigableMap<byte[], Long> passwords = new TreeMap<>(Arrays::compareUnsigned);

    LocalListings(Map<Key, Listing> byKey) {
        this.byKey = byKey;
        byKey.forEach((key, listing) -> {
            if (key.kind() == KeyKind.PASSWORD) {
                passwords.put(key.bytes(), listing.count());
            }
        });
    }

    @Override
    public List<ExactAnswer> lookup(List<Key> keys, Duration timeout) {
        return keys.stream().map(this::answer).toList();
    }

    private ExactAnswer answer(Key key) {
        return byKey.containsKey(key) ? new ExactAnswer.Listed(List.of(byKey.get(key))) : new ExactAnswer.NotListed();
    }

    @Override
    public Optional<ExactLookup> local() {
        return Optional.of(this);
    }

    @Override
    public boolean mayQueryRemote() {
        return false;
    }

    @Override
    public Set<Integer> passwordDigestBytes() {
        return passwords.keySet().stream().map(bytes -> bytes.length).collect(toUnmodifiableSet());
    }

    /// Only passwords are kept in order.
    @Override
    public void forEach(KeyKind kind, byte[] from, byte[] to, Visitor visitor) throws IOException {
        if (kind != KeyKind.PASSWORD) {
            throw new IOException("local listings of kind " + kind.label() + " have no order");
        }
        NavigableMap<byte[], Long> range = passwords.tailMap(from, true);
        range = to.length == 0 ? range : range.headMap(to, false);
        for (Map.Entry<byte[], Long> row : range.entrySet()) {
            visitor.key(row.getKey(), 0, row.getKey().length, row.getValue());
        }
    }

    @Override
    public void close() {}
}
