package org.bloomgate.core.smtp;

import static java.util.stream.Collectors.joining;

import java.util.Set;

/// The extensions that a server announced in its reply to EHLO.
///
/// @param keywords in upper case, without parameters: `PIPELINING`, `8BITMIME`, `SMTPUTF8`, `DSN`, ...
/// @param sizeBytes of `SIZE`; 0 if it was not stated
public record Capabilities(Set<String> keywords, long sizeBytes) {
    public Capabilities {
        keywords = Set.copyOf(keywords);
    }

    /// Text for the log: `8BITMIME DSN SIZE=52428800`.
    public String text() {
        return keywords.stream()
                .map(one -> one.equals("SIZE") && sizeBytes > 0 ? "SIZE=" + sizeBytes : one)
                .sorted()
                .collect(joining(" "));
    }
}
