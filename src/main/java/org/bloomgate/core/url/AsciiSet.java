package org.bloomgate.core.url;

/// A set of ASCII characters as a table, for loops over text.
public final class AsciiSet {
    private final boolean[] members = new boolean[0x80];

    private AsciiSet() {}

    /// @param characters of ASCII
    public static AsciiSet of(String characters) {
        return new AsciiSet().with(characters);
    }

    /// Letters of both cases, digits, and further characters.
    ///
    /// @param more ASCII characters
    public static AsciiSet lettersDigitsAnd(String more) {
        AsciiSet set = of(more);
        for (int c = 0; c < set.members.length; c++) {
            set.members[c] |= Character.isLetterOrDigit(c);
        }
        return set;
    }

    private AsciiSet with(String characters) {
        characters.chars().forEach(c -> members[c] = true);
        return this;
    }

    /// Whether the set has the character; false for every non-ASCII character.
    public boolean has(char c) {
        return c < members.length && members[c];
    }
}
