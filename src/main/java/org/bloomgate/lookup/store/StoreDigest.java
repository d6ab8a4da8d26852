package org.bloomgate.lookup.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.core.key.KeyKind;

/// A digest of the content of a store that does not depend on how it is stored: over all keys of a kind in
/// ascending order, each with its length in four bytes (big-endian), its bytes and the number of its listings
/// in four bytes; then each listing, in the order of feed names, as a line of feed, category, match, uses,
/// first seen, last seen and count, separated by tabs.
public final class StoreDigest {
    private final SortedStore store;
    private final List<String> feeds;
    private final List<String> lines = new ArrayList<>();
    private final ByteBuffer number = ByteBuffer.allocate(Integer.BYTES);
    private MessageDigest digest = Sha256.begin();
    private long entries;

    private StoreDigest(SortedStore store) {
        this.store = store;
        this.feeds = store.feeds().stream()
                .map(feed -> "%s\t%s\t%s\t%s"
                        .formatted(
                                feed.name(),
                                feed.category(),
                                feed.match().label(),
                                feed.uses().stream()
                                        .map(use -> use.label())
                                        .sorted()
                                        .collect(Collectors.joining(","))))
                .toList();
    }

    /// One line a kind: `KIND ENTRIES SHA256`.
    public static List<String> computeLines(SortedStore store) throws IOException {
        return new StoreDigest(store).walk();
    }

    private List<String> walk() throws IOException {
        try (StoreCursor key = store.openCursor()) {
            int kind = 0;
            while (key.next()) {
                if (key.kindCode() != kind) {
                    finish(kind);
                    kind = key.kindCode();
                }
                add(key);
            }
            finish(kind);
        }
        return List.copyOf(lines);
    }

    private void add(StoreCursor key) {
        entries++;
        updateNumber(key.end() - 1);
        digest.update(key.bytes(), 1, key.end() - 1);
        StoredListings stored = key.stored();
        updateNumber(stored.size());
        IntStream.range(0, stored.size())
                .boxed()
                .sorted(Comparator.comparing(listing -> feeds.get(stored.feed(listing))))
                .forEach(listing -> digest.update("%s\t%d\t%d\t%d\n"
                        .formatted(
                                feeds.get(stored.feed(listing)),
                                stored.firstSeen(listing),
                                stored.lastSeen(listing),
                                stored.count(listing))
                        .getBytes(UTF_8)));
    }

    private void updateNumber(int value) {
        digest.update(number.clear().putInt(value).flip());
    }

    private void finish(int kindCode) throws MalformedStoreException {
        if (entries > 0) {
            KeyKind kind = KeyKind.ofWireCode(kindCode)
                    .orElseThrow(() -> new MalformedStoreException("keys of unknown kind " + kindCode));
            lines.add("%s %d %s".formatted(kind.label(), entries, HexFormat.of().formatHex(digest.digest())));
        }
        digest = Sha256.begin();
        entries = 0;
    }
}
