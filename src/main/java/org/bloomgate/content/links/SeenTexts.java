package org.bloomgate.content.links;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.bloomgate.core.key.Place;

/// A set of the texts seen in one message, for each place. It can also be queried with a range of characters,
/// so that a repeated text creates no string.
///
/// Hashes depend on a secret, so that a sender cannot choose links that collide. Not thread-safe.
final class SeenTexts {
    private static final long SECRET = new SplittableRandom().nextLong();

    /// Odd, with bits set in no regular pattern (golden ratio).
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    private final Map<Place, Table> tables = new EnumMap<>(Place.class);

    /// Adds the text; false if it was there already.
    boolean add(Place place, String text) {
        return table(place).add(text, hash(text));
    }

    /// Adds the text of a range; returns it if it is new.
    Optional<String> add(Place place, char[] chars, int from, int to) {
        Table table = table(place);
        int hash = hash(chars, from, to);
        if (table.contains(chars, from, to, hash)) {
            return Optional.empty();
        }
        String text = new String(chars, from, to - from);
        table.add(text, hash);
        return Optional.of(text);
    }

    boolean contains(Place place, String text) {
        return tables.containsKey(place) && table(place).contains(text, hash(text));
    }

    private Table table(Place place) {
        return tables.computeIfAbsent(place, _ -> new Table());
    }

    private static int hash(String text) {
        long hash = SECRET;
        int i = 0;
        for (; i + 4 <= text.length(); i += 4) {
            hash = mix(hash, four(text.charAt(i), text.charAt(i + 1), text.charAt(i + 2), text.charAt(i + 3)));
        }
        for (; i < text.length(); i++) {
            hash = mix(hash, text.charAt(i));
        }
        return folded(hash);
    }

    private static int hash(char[] chars, int from, int to) {
        long hash = SECRET;
        int i = from;
        for (; i + 4 <= to; i += 4) {
            hash = mix(hash, four(chars[i], chars[i + 1], chars[i + 2], chars[i + 3]));
        }
        for (; i < to; i++) {
            hash = mix(hash, chars[i]);
        }
        return folded(hash);
    }

    private static long four(char first, char second, char third, char fourth) {
        return first | ((long) second << 16) | ((long) third << 32) | ((long) fourth << 48);
    }

    private static long mix(long hash, long chars) {
        long mixed = (hash ^ chars) * MULTIPLIER;
        return mixed ^ (mixed >>> 32);
    }

    /// The hash in 32 bits, but never 0, which marks an empty slot.
    private static int folded(long hash) {
        int folded = (int) ((hash * MULTIPLIER) >>> 32);
        return folded == 0 ? 1 : folded;
    }

    /// A hash table with linear probing.
    private static final class Table {
        private int[] hashes = new int[16];
        private String[] texts = new String[16];
        private int size;

        boolean add(String text, int hash) {
            int slot = slot(text, hash);
            if (hashes[slot] != 0) {
                return false;
            }
            hashes[slot] = hash;
            texts[slot] = text;
            if (++size * 2 > hashes.length) {
                grow();
            }
            return true;
        }

        boolean contains(String text, int hash) {
            return hashes[slot(text, hash)] != 0;
        }

        boolean contains(char[] chars, int from, int to, int hash) {
            int slot = first(hash);
            while (hashes[slot] != 0 && !(hashes[slot] == hash && equals(texts[slot], chars, from, to))) {
                slot = next(slot);
            }
            return hashes[slot] != 0;
        }

        /// The slot that has the text, or where it would be added.
        private int slot(String text, int hash) {
            int slot = first(hash);
            while (hashes[slot] != 0 && !(hashes[slot] == hash && texts[slot].equals(text))) {
                slot = next(slot);
            }
            return slot;
        }

        private static boolean equals(String text, char[] chars, int from, int to) {
            boolean same = text.length() == to - from;
            for (int i = from; i < to && same; i++) {
                same = text.charAt(i - from) == chars[i];
            }
            return same;
        }

        private int first(int hash) {
            return hash & (hashes.length - 1);
        }

        private int next(int slot) {
            return (slot + 1) & (hashes.length - 1);
        }

        private void grow() {
            int[] oldHashes = hashes;
            String[] oldTexts = texts;
            hashes = new int[oldHashes.length * 2];
            texts = new String[hashes.length];
            for (int i = 0; i < oldHashes.length; i++) {
                if (oldHashes[i] != 0) {
                    int slot = slot(oldTexts[i], oldHashes[i]);
                    hashes[slot] = oldHashes[i];
                    texts[slot] = oldTexts[i];
                }
            }
        }
    }
}
