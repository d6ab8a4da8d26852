package org.bloomgate.core.key;

import org.bloomgate.base.config.Labelled;

/// How far a listing reaches.
public enum Match implements Labelled {
    /// Only the identifier itself.
    EXACT(0),
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
        return this == SUFFIX || itself || key.kind().rules().hasRanges();
    }
}
