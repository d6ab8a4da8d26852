package org.bloomgate.core.key;

import org.bloomgate.base.config.Labelled;

/// Where a feed's listings apply. A feed of disposable mailbox domains, for example, applies to senders and
/// headers but not to links.
public enum Use implements Labelled {
    /// The envelope's reverse-path, and the address of the client.
    SENDER(1),
    /// Originators, other identifiers in header fields, and the hops before the client.
    HEADER(2),
    /// Links anywhere in the message, attached files and words.
    LINK(4),
    /// The name that a client states in HELO or EHLO, and the DNS name of its address.
    HELO(8);

    private final int bit;

    Use(int bit) {
        this.bit = bit;
    }

    /// One bit, which never changes: sets of uses are stored as the sum of their bits.
    public int bit() {
        return bit;
    }
}
