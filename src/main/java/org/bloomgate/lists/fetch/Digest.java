package org.bloomgate.lists.fetch;

/// The digest in which a feed gives its entries. The label is the name in lower case.
public enum Digest {
    /// Entries are plain values.
    NONE,
    /// Entries are the SHA-1 of their canonical text, 40 hex digits.
    SHA1,
    /// The same with SHA-256, for a zone that is queried for mail addresses or files.
    SHA256
}
