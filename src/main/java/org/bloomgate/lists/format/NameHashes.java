package org.bloomgate.lists.format;

import java.nio.charset.StandardCharsets;
import java.util.Set;

/// A set of names by 32-bit hashes of their bytes from right to left, so that one pass over a name computes the
/// hashes of its parents too. A name without its hash here is certainly not in the set; otherwise it may be
/// another name with the same hash.
///
/// Immutable, thread-safe; a lookup allocates nothing.
final class NameHashes {
    private static final int EMPTY = 0;

    private final int[] slots;

    NameHashes(Set<String> names) {
        slots = new int[Integer.highestOneBit(Math.max(2, names.size())) << 2];
        for (String name : names) {
            byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
            int hash = 0;
            for (int i = bytes.length - 1; i >= 0; i--) {
                hash = mix(hash, bytes[i]);
            }
            slots[slotOf(hash)] = hash;
        }
    }

    /// The hash of a name with one more byte before it.
    static int mix(int hash, byte b) {
        return (hash + b) * 0x9E3779B1;
    }

    boolean mayContain(int hash) {
        return hash == EMPTY || slots[slotOf(hash)] == hash;
    }

    private int slotOf(int hash) {
        int mask = slots.length - 1;
        int slot = (hash ^ (hash >>> 15)) & mask;
        while (slots[slot] != EMPTY && slots[slot] != hash) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }
}
