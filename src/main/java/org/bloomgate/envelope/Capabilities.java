package org.bloomgate.envelope;

import java.util.Set;

/// What a server announced in its reply to EHLO.
///
/// @param keywords in upper case, without parameters: `PIPELINING`, `8BITMIME`, `SMTPUTF8`, `DSN`, ...
/// @param sizeBytes of `SIZE`; 0 when it named none
public record Capabilities(Set<String> keywords, long sizeBytes) {
    public Capabilities {
        keywords = Set.copyOf(keywords);
    }
}
