package org.bloomgate.core.key;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The rules of a public suffix list in one open-addressed table over one byte pool, so that the lookup of a
/// suffix creates no object. The hash goes from the last byte to the first, so that one pass over a host from
/// the right gives the hash of each of its suffixes.
final class SuffixRules {
    /// The name is a public suffix.
    static final int NORMAL = 1;
    /// Every name with one more label is a public suffix.
    static final int WILDCARD = 2;
    /// The name is registrable although a wildcard matches it.
    static final int EXCEPTION = 4;
    /// For wildcards: the rule belongs to a registry or another party, not to the owner of the name.
    static final int REGISTRY = 8;

    /// The longest name in DNS; a longer rule never matches. Hides nothing: no name is longer.
    private static final int MAX_NAME_BYTES = 253;

    private int[] slots = new int[1 << 15];
    private byte[] pool = new byte[1 << 18];
    private int used = 1;
    private int size;
    private int deepest = 1;

    /// Adds a rule, whose name is in A-labels and lower case.
    void add(String rule, int flag) {
        byte[] name = rule.getBytes(StandardCharsets.US_ASCII);
        if (name.length == 0 || name.length > MAX_NAME_BYTES) {
            return;
        }
        int hash = 0;
        int labels = 1;
        for (int i = name.length - 1; i >= 0; i--) {
            hash = mix(hash, name[i]);
            labels += name[i] == '.' ? 1 : 0;
        }
        deepest = Math.max(deepest, labels + (flag == WILDCARD ? 1 : 0));
        int slot = slotOf(name, 0, name.length, hash);
        if (slots[slot] == 0) {
            slots[slot] = store(name);
            size++;
        }
        pool[slots[slot] + 1] |= (byte) flag;
        if (size * 2 > slots.length) {
            grow();
        }
    }

    int size() {
        return size;
    }

    /// The number of labels of the longest rule; further labels of a host need not be read.
    int deepest() {
        return deepest;
    }

    static int mix(int hash, byte b) {
        return (hash + b) * 0x9E3779B1;
    }

    /// The flags of the rules for exactly this name; 0 if there is none.
    ///
    /// @param hash of the bytes from the last to the first, by [#mix(int, byte)]
    int flags(byte[] host, int from, int to, int hash) {
        int entry = slots[slotOf(host, from, to, hash)];
        return entry == 0 ? 0 : pool[entry + 1];
    }

    /// The same for an ASCII name in any case.
    int flags(char[] host, int from, int to) {
        int hash = 0;
        for (int i = to - 1; i >= from; i--) {
            hash = mix(hash, lower(host[i]));
        }
        int mask = slots.length - 1;
        int slot = (hash ^ (hash >>> 15)) & mask;
        while (slots[slot] != 0 && !matches(slots[slot], host, from, to)) {
            slot = (slot + 1) & mask;
        }
        return slots[slot] == 0 ? 0 : pool[slots[slot] + 1];
    }

    private static byte lower(char c) {
        return (byte) (c >= 'A' && c <= 'Z' ? c | 0x20 : c);
    }

    private boolean matches(int entry, char[] name, int from, int to) {
        boolean same = (pool[entry] & 0xff) == to - from;
        for (int i = from; i < to && same; i++) {
            same = pool[entry + 2 + i - from] == lower(name[i]);
        }
        return same;
    }

    private int slotOf(byte[] name, int from, int to, int hash) {
        int mask = slots.length - 1;
        int slot = (hash ^ (hash >>> 15)) & mask;
        while (slots[slot] != 0 && !matches(slots[slot], name, from, to)) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private boolean matches(int entry, byte[] name, int from, int to) {
        int length = pool[entry] & 0xff;
        return length == to - from && Arrays.equals(pool, entry + 2, entry + 2 + length, name, from, to);
    }

    /// Stores an entry: length, flags, name.
    private int store(byte[] name) {
        if (used + name.length + 2 > pool.length) {
            pool = Arrays.copyOf(pool, pool.length * 2);
        }
        int entry = used;
        pool[entry] = (byte) name.length;
        System.arraycopy(name, 0, pool, entry + 2, name.length);
        used += name.length + 2;
        return entry;
    }

    private void grow() {
        slots = new int[slots.length * 2];
        for (int entry = 1; entry < used; entry += (pool[entry] & 0xff) + 2) {
            int hash = 0;
            int end = entry + 2 + (pool[entry] & 0xff);
            for (int i = end - 1; i >= entry + 2; i--) {
                hash = mix(hash, pool[i]);
            }
            slots[slotOf(pool, entry + 2, end, hash)] = entry;
        }
    }
}
