package org.bloomgate.content.html;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/// A map from names of HTML (elements, attributes) to their meaning, which looks a name up in text without
/// creating a string. Names are ASCII; case is ignored.
public final class Vocabulary<M> {
    /// The characters of a name that are hashed. All names of the vocabulary are shorter, and a long hostile
    /// name does not cost more.
    private static final int HASHED_CHARS = 24;

    private final String[] names;
    private final Optional<M>[] meanings;
    private final int mask;

    Vocabulary(Map<String, M> entries) {
        int size = Integer.highestOneBit(entries.size() * 4);
        names = new String[size];
        meanings = emptyMeanings(size);
        mask = size - 1;
        entries.forEach(this::put);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static <M> Optional<M>[] emptyMeanings(int size) {
        Optional<M>[] none = new Optional[size];
        Arrays.fill(none, Optional.empty());
        return none;
    }

    private void put(String name, M meaning) {
        int slot = hash(name.toCharArray(), 0, name.length()) & mask;
        while (!nameAt(slot).isEmpty()) {
            slot = (slot + 1) & mask;
        }
        names[slot] = name;
        meanings[slot] = Optional.of(meaning);
    }

    private String nameAt(int slot) {
        String name = names[slot];
        return name == null ? "" : name;
    }

    /// Returns the meaning of the name at `from` (inclusive) to `to`; empty if it is not in the vocabulary.
    Optional<M> find(char[] text, int from, int to) {
        int slot = hash(text, from, to) & mask;
        while (true) {
            String name = nameAt(slot);
            if (name.isEmpty()) {
                return Optional.empty();
            }
            if (equalsIgnoringCase(text, from, to, name)) {
                return meanings[slot];
            }
            slot = (slot + 1) & mask;
        }
    }

    /// @param name in lower case
    static boolean equalsIgnoringCase(char[] text, int from, int to, String name) {
        return to - from == name.length() && startsWithIgnoringCase(text, from, to, name);
    }

    /// @param prefix in lower case
    public static boolean startsWithIgnoringCase(char[] text, int from, int to, String prefix) {
        if (to - from < prefix.length()) {
            return false;
        }
        for (int i = 0; i < prefix.length(); i++) {
            if (lower(text[from + i]) != prefix.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /// @param prefix in lower case
    public static boolean startsWithIgnoringCase(String text, String prefix) {
        return text.regionMatches(true, 0, prefix, 0, prefix.length());
    }

    public static char lower(char c) {
        return c >= 'A' && c <= 'Z' ? (char) (c + 32) : c;
    }

    private static int hash(char[] text, int from, int to) {
        int hash = to - from;
        int end = Math.min(to, from + HASHED_CHARS);
        for (int i = from; i < end; i++) {
            hash = hash * 31 + lower(text[i]);
        }
        return hash ^ (hash >>> 15);
    }
}
