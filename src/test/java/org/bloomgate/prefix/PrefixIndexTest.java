package org.bloomgate.prefix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.bloomgate.http.SmallLayer;
import org.bloomgate.key.Key;
import org.bloomgate.key.KeyKind;
import org.bloomgate.wire.HashPrefix;
import org.bloomgate.wire.HashedKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrefixIndexTest {
    private static final List<Key> KEYS = IntStream.range(0, 3_000)
            .mapToObj(i -> new Key(KeyKind.DOMAIN, "d" + i + ".example"))
            .toList();

    @TempDir
    Path folder;

    private PrefixIndex index(KeyKind kind) throws IOException {
        SmallLayer store = new SmallLayer();
        KEYS.forEach(key -> store.lists(key.kind(), key.text()));
        return PrefixIndex.of(store, kind, folder, () -> false);
    }

    private static HashPrefix prefix(int value, int digits) {
        return new HashPrefix(("%0" + digits + "x").formatted(value));
    }

    @Test
    void everyKeyIsBehindItsPrefixOfEveryLengthAndNoOther() throws IOException {
        PrefixIndex index = index(KeyKind.DOMAIN);
        for (int digits = HashPrefix.MIN_DIGITS; digits <= HashPrefix.MAX_DIGITS; digits++) {
            Set<Key> found = new HashSet<>();
            for (int value = 0; value < 1 << (4 * digits); value++) {
                HashPrefix prefix = prefix(value, digits);
                for (Key key : index.keys(prefix, KEYS.size()).orElseThrow()) {
                    assertTrue(HashedKey.hex(HashedKey.of(key)).startsWith(prefix.digits()), key::toString);
                    assertTrue(found.add(key), key::toString);
                }
            }
            assertEquals(new HashSet<>(KEYS), found);
        }
    }

    @Test
    void aPageHasAsManyKeysAsAllowedAndIsNoneBeyond() throws IOException {
        PrefixIndex index = index(KeyKind.DOMAIN);
        HashPrefix prefix = prefix(0x1a, 2);
        int there = index.keys(prefix, KEYS.size()).orElseThrow().size();
        assertEquals(there, index.keys(prefix, there).orElseThrow().size());
        assertEquals(Optional.empty(), index.keys(prefix, there - 1));
    }

    @Test
    void aKindThatIsNotListedHasEmptyPages() throws IOException {
        assertEquals(Optional.of(List.of()), index(KeyKind.URL).keys(new HashPrefix("00"), 1));
    }

    @Test
    void nothingIsLeftInTheFolder() throws IOException {
        PrefixIndex _ = index(KeyKind.DOMAIN);
        try (var left = Files.list(folder)) {
            assertEquals(List.of(), left.toList());
        }
    }

    @Test
    void aStoreThatCannotBeReadOrAnEndingProcessGivesNoIndex() {
        SmallLayer store = new SmallLayer().lists(KeyKind.DOMAIN, "evil.example");
        assertThrows(IOException.class, () -> PrefixIndex.of(store, KeyKind.DOMAIN, folder, () -> true));
        store.fallSilent();
        assertThrows(IOException.class, () -> PrefixIndex.of(store, KeyKind.DOMAIN, folder, () -> false));
    }
}
