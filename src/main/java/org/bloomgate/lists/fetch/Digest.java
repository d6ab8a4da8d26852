package org.bloomgate.lists.fetch;

/// How the entries of a feed are given. The label is the name in lower case.
public enum Digest {
    /// As what they are.
    NONE,
    /// As the SHA-1 of their canonical text, 40 hex digits.
    SHA1,
    /// As the SHA-256: of a zone that is queried for mail addresses or files.
    SHA256
}
