package org.bloomgate.core.lookalike;

/// The way in which a name imitates another one. If several apply, the first one is reported.
public enum Trick {
    /// One or two letters that look like others, or any number of letters of other scripts.
    HOMOGLYPH("homoglyph"),
    /// Another letter, which differs in one bit.
    BITSQUATTING("bitsquatting"),
    TRANSPOSITION("transposition"),
    OMISSION("omission"),
    REPETITION("repetition"),
    /// A neighbouring key instead of the right one.
    REPLACEMENT("replacement"),
    /// A neighbouring key in addition to the right one.
    INSERTION("insertion"),
    VOWEL_SWAP("vowel-swap"),
    HYPHENATION("hyphenation"),
    PLURAL("plural"),
    /// One more letter or digit at either end.
    ADDITION("addition"),
    /// The name with a word that people trust: `login`, `support`.
    DICTIONARY("dictionary"),
    /// The name under another top-level domain.
    TLD_SWAP("tld-swap"),
    /// The name with a dot inserted, or the whole name as the first labels of another domain.
    SUBDOMAIN("subdomain"),
    /// The display name of a protected person.
    DISPLAY_NAME("display-name");

    private final String label;

    Trick(String label) {
        this.label = label;
    }

    /// The name in headers, JSON and the journal.
    public String label() {
        return label;
    }
}
