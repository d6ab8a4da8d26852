package org.bloomgate.core.key;

import java.util.Optional;
import java.util.stream.Stream;

/// How far a listing reaches.
public enum Match {
    /// Only the identifier itself.
    EXACT(0, "exact"),
    /// The identifier and everything below it: subdomains of a domain, paths below a URL expression.
    SUFFIX(1, "suffix");

    private final int wireCode;
    private final String label;

    Match(int wireCode, String label) {
        this.wireCode = wireCode;
        this.label = label;
    }

    public int wireCode() {
        return wireCode;
    }

    public String label() {
        return label;
    }

    /// Whether a listing or an exception with this match applies to an identifier. A network always applies to all its
    /// addresses.
    ///
    /// @param key the key of the listing or exception: that of the identifier, or one around it
    /// @param itself true if the key is that of the identifier
    public boolean reaches(Key key, boolean itself) {
        return this == SUFFIX || itself || key.kind().rules().hasRanges();
    }

    public static Optional<Match> ofLabel(String label) {
        return Stream.of(values()).filter(match -> match.label.equals(label)).findFirst();
    }
}
