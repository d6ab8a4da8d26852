package org.bloomgate.core.lookalike;

/// How a name comes to look like another one. Where several fit, the first one names it.
public enum Trick {
    /// Letters that look like others, one or two of them, or any number of letters of other scripts.
    HOMOGLYPH("homoglyph"),
    /// Another letter, one bit off.
    BITSQUATTING("bitsquatting"),
    TRANSPOSITION("transposition"),
    OMISSION("omission"),
    REPETITION("repetition"),
    /// A neighbouring key in addition to the right one, or instead of it.
    REPLACEMENT("replacement"),
    INSERTION("insertion"),
    VOWEL_SWAP("vowel-swap"),
    HYPHENATION("hyphenation"),
    PLURAL("plural"),
    /// One more letter or digit at either end.
    ADDITION("addition"),
    /// With a word that people trust: `login`, `support`.
    DICTIONARY("dictionary"),
    /// Under another top-level domain.
    TLD_SWAP("tld-swap"),
    /// A dot within the name, or the whole name as the first labels of another domain.
    SUBDOMAIN("subdomain"),
    /// The display name of a protected person.
    DISPLAY_NAME("display-name");

    private final String label;

    Trick(String label) {
        this.label = label;
    }

    /// The word in headers, JSON and the journal.
    public String label() {
        return label;
    }
}
