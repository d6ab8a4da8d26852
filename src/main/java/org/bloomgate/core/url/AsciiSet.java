package org.bloomgate.core.url;

/// A set of ASCII characters as a table, for loops over text.
public final class AsciiSet {
    private final boolean[] members = new boolean[0x80];

    private AsciiSet() {}

    /// @param characters of ASCII
    public static AsciiSet of(String characters) {
        return new AsciiSet().with(characters);
    }

    /// Letters of both cases and digits, and these.
    ///
    /// @param more of ASCII
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

    /// False for every character beyond ASCII.
    public boolean has(char c) {
        return c < members.length && members[c];
    }
}
