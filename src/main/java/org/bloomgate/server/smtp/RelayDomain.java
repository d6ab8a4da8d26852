package org.bloomgate.server.smtp;

import org.bloomgate.core.url.DomainName;

/// An element of `smtp.relayDomains`: a domain, `*.` and a domain for all names below it, or `*` for every
/// domain.
///
/// @param text in the form with which recipients are compared
public record RelayDomain(String text) {
    static final RelayDomain EVERY = new RelayDomain("*");
    private static final String BELOW = "*.";

    /// @throws IllegalArgumentException if it is none of these
    public static RelayDomain of(String text) {
        String stripped = text.strip();
        if (stripped.equals(EVERY.text)) {
            return EVERY;
        }
        boolean below = stripped.startsWith(BELOW);
        String name = below ? stripped.substring(BELOW.length()) : stripped;
        return DomainName.parse(name)
                .map(domain -> new RelayDomain((below ? BELOW : "") + domain))
                .orElseThrow(() -> new IllegalArgumentException(
                        "'" + text + "' is not a domain; write a name, *.name for all names below it, or *"));
    }

    boolean isBelow() {
        return text.startsWith(BELOW);
    }

    /// The domain without `*.`.
    String name() {
        return isBelow() ? text.substring(BELOW.length()) : text;
    }

    @Override
    public String toString() {
        return text;
    }
}
