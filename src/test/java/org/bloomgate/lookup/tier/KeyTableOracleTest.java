package org.bloomgate.lookup.tier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.bloomgate.core.key.Identifier;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Place;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The table beside a `HashSet` of the same keys.
class KeyTableOracleTest {
    private static final long SEED = 42;

    private static boolean holds(KeyTable table, Key key) {
        KeyBatch batch = new KeyBatch();
        batch.begin(new Identifier(KeyKind.DOMAIN, "before.example", Place.LINK, "link"));
        batch.append("before.example").endKey(KeyKind.DOMAIN, true);
        batch.begin(new Identifier(key.kind(), key.text(), Place.LINK, "link"));
        byte[] bytes = key.bytes();
        batch.append(bytes, 0, bytes.length).endKey(key.kind(), true);
        return table.contains(batch, 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 31, 32, 33, 1000, 5000})
    void itHoldsWhatItWasMadeOfAndNothingElse(int size) {
        Random random = new Random(size);
        Set<Key> keys = new HashSet<>();
        while (keys.size() < size) {
            keys.add(new Key(KeyKind.DOMAIN, "d" + random.nextInt(4 * size) + ".example"));
        }
        KeyTable table = new KeyTable(keys, SEED);
        for (int i = 0; i < 4 * size + 10; i++) {
            Key queried = new Key(KeyKind.DOMAIN, "d" + i + ".example");
            assertEquals(keys.contains(queried), holds(table, queried), queried::text);
        }
    }

    @Test
    void theSameTextOfAnotherKindIsAnotherKey() {
        KeyTable table = new KeyTable(List.of(new Key(KeyKind.DOMAIN, "a.example")), SEED);
        assertTrue(holds(table, new Key(KeyKind.DOMAIN, "a.example")));
        for (KeyKind kind : List.of(KeyKind.URL, KeyKind.ADDRESS, KeyKind.KEYWORD)) {
            assertFalse(holds(table, new Key(kind, "a.example")), kind::label);
        }
        KeyTable both = new KeyTable(
                List.of(new Key(KeyKind.DOMAIN, "a.example"), new Key(KeyKind.KEYWORD, "a.example")), SEED);
        assertTrue(holds(both, new Key(KeyKind.DOMAIN, "a.example")));
        assertTrue(holds(both, new Key(KeyKind.KEYWORD, "a.example")));
        assertFalse(holds(both, new Key(KeyKind.URL, "a.example")));
    }

    @Test
    void aPrefixOrAnExtensionOfAKeyIsNotInIt() {
        KeyTable table = new KeyTable(List.of(new Key(KeyKind.DOMAIN, "bad.example")), SEED);
        for (String other : List.of("bad.exampl", "bad.examplee", "ad.example", "bad.examplf", "")) {
            assertFalse(holds(table, new Key(KeyKind.DOMAIN, other)), other);
        }
    }

    @Test
    void theSeedChangesNoAnswer() {
        List<Key> keys = List.of(new Key(KeyKind.DOMAIN, "a.example"), new Key(KeyKind.URL, "b.example/x?y"));
        for (long seed = 0; seed < 200; seed++) {
            KeyTable table = new KeyTable(keys, seed);
            for (Key key : keys) {
                assertTrue(holds(table, key));
            }
            assertFalse(holds(table, new Key(KeyKind.DOMAIN, "c.example")));
        }
    }
}
