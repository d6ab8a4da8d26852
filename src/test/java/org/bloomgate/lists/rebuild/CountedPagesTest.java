package org.bloomgate.lists.rebuild;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class CountedPagesTest {
    private final CountedPages pages = new CountedPages();

    private boolean add(String key) {
        byte[] bytes = ("?" + key + "?").getBytes(StandardCharsets.ISO_8859_1);
        return pages.add(bytes, 1, bytes.length - 1);
    }

    @Test
    void aFolderIsThePageOfItsName() {
        assertTrue(add("a.example/x"));
        assertTrue(add("a.example/x-1"));
        assertTrue(add("a.example/x-1.php"));
        assertFalse(add("a.example/x-1/"));
        assertFalse(add("a.example/x/"));
        assertTrue(add("a.example/x/y"));
        assertTrue(add("a.example/z/"));
        assertTrue(add("b.example/x/"));
    }

    @Test
    void asManyAreCountedAsASetHolds() {
        Random random = new Random(20260407);
        for (int round = 0; round < 2_000; round++) {
            TreeSet<String> keys = new TreeSet<>();
            for (int i = 0; i < 12; i++) {
                keys.add("h/"
                        + random.ints(1 + random.nextInt(4), 0, 4)
                                .mapToObj(at -> "-/ab".substring(at, at + 1))
                                .reduce("", String::concat));
            }
            long wanted = keys.stream()
                    .filter(key -> !key.endsWith("/") || !keys.contains(key.substring(0, key.length() - 1)))
                    .count();
            CountedPages counted = new CountedPages();
            assertEquals(wanted, count(counted, keys), () -> keys.toString());
        }
    }

    private static long count(CountedPages counted, Set<String> keys) {
        return keys.stream()
                .map(key -> key.getBytes(StandardCharsets.ISO_8859_1))
                .filter(key -> counted.add(key, 0, key.length))
                .count();
    }
}
