package org.bloomgate.core.key;

import org.bloomgate.base.config.Labelled;

/// How far a listing reaches.
public enum Match implements Labelled {
    /// Only the identifier itself.
    EXACT(0),
    /// Only the names below a domain, as `*.name` in a response policy zone.
    BELOW(2),
    /// The identifier and everything below it: subdomains of a domain, paths below a URL expression.
    SUFFIX(1);

    private final int wireCode;

    Match(int wireCode) {
        this.wireCode = wireCode;
    }

    public int wireCode() {
        return wireCode;
    }

    /// Whether a listing or an exception with this match applies to an identifier. A network always applies to all its
    /// addresses.
    ///
    /// @param key the key of the listing or exception: that of the identifier, or one around it
    /// @param itself true if the key is that of the identifier
    public boolean reaches(Key key, boolean itself) {
        return switch (this) {
            case SUFFIX -> true;
            case EXACT -> itself || key.kind().rules().hasRanges();
            case BELOW -> !itself;
        };
    }

    /// Whether this match of a key applies to every identifier to which another match of the same key applies.
    public boolean includes(Match other) {
        return this == SUFFIX || this == other;
    }
}
