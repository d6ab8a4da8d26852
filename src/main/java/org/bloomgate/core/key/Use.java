package org.bloomgate.core.key;

import java.util.Optional;
import java.util.stream.Stream;

/// Where a feed's listings apply. A feed of disposable mailbox domains, for example, applies to senders and
/// headers but not to links.
public enum Use {
    /// The envelope's reverse-path, and the address of the client.
    SENDER(1, "sender"),
    /// Originators, other identifiers in header fields, and the hops before the client.
    HEADER(2, "header"),
    /// Links anywhere in the message, attached files and words.
    LINK(4, "link"),
    /// The name that a client states in HELO or EHLO, and the DNS name of its address.
    HELO(8, "helo");

    private final int bit;
    private final String label;

    Use(int bit, String label) {
        this.bit = bit;
        this.label = label;
    }

    /// One bit, which never changes: sets of uses are stored as the sum of their bits.
    public int bit() {
        return bit;
    }

    public String label() {
        return label;
    }

    public static Optional<Use> ofLabel(String label) {
        return Stream.of(values()).filter(use -> use.label.equals(label)).findFirst();
    }
}
