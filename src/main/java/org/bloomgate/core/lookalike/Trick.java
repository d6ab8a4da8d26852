package org.bloomgate.core.lookalike;

import org.bloomgate.base.config.Labelled;

/// The way in which a name imitates another one. If several apply, the first one is reported.
public enum Trick implements Labelled {
    /// One or two letters that look like others, or any number of letters of other scripts.
    HOMOGLYPH,
    /// Another letter, which differs in one bit.
    BITSQUATTING,
    TRANSPOSITION,
    OMISSION,
    REPETITION,
    /// A neighbouring key instead of the right one.
    REPLACEMENT,
    /// A neighbouring key in addition to the right one.
    INSERTION,
    VOWEL_SWAP,
    HYPHENATION,
    PLURAL,
    /// One more letter or digit at either end.
    ADDITION,
    /// The name with a word that people trust: `login`, `support`.
    DICTIONARY,
    /// The name under another top-level domain.
    TLD_SWAP,
    /// The name with a dot inserted, or the whole name as the first labels of another domain.
    SUBDOMAIN,
    /// The display name of a protected person.
    DISPLAY_NAME,
    /// The display name of a brand, or of the own site.
    BRAND
}
