package org.bloomgate.key;

import java.util.Optional;

/// What a key is a canonical form of. The wire code stands in filter files, exact stores and manifests: it is never
/// reused or renumbered, and the order of the constants means nothing.
public enum KeyKind {
    ADDRESS(1, "address"),
    DOMAIN(2, "domain"),
    URL(3, "url"),
    PASSWORD(4, "password"),
    HASH(5, "hash"),
    KEYWORD(6, "keyword");

    private final int wireCode;
    private final String label;

    KeyKind(int wireCode, String label) {
        this.wireCode = wireCode;
        this.label = label;
    }

    /// 1..255, stable for ever.
    public int wireCode() {
        return wireCode;
    }

    /// The lower-case name used in configuration, JSON, file names and command lines.
    public String label() {
        return label;
    }

    public static Optional<KeyKind> ofLabel(String label) {
        for (KeyKind kind : values()) {
            if (kind.label.equals(label)) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }

    /// Empty for a code this version does not know: the file that holds it must be refused.
    public static Optional<KeyKind> ofWireCode(int wireCode) {
        for (KeyKind kind : values()) {
            if (kind.wireCode == wireCode) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }
}
