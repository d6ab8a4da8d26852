package org.bloomgate.server.spool;

/// The parts of a transaction whose time is measured.
public enum Stage {
    /// Keys of the reverse-path against filters and exact tier.
    SENDER("sender"),
    /// MAIL and RCPT at the next hop.
    ENVELOPE("envelope"),
    /// From 354 to the final dot: the client's time.
    RECEIVE("receive"),
    /// Reading the message for identifiers.
    READ("read"),
    /// Keys of the message against filters and exact tier.
    LOOKUP("lookup"),
    /// Authenticating the sender, where the decision depends on it: mostly waiting for the DNS.
    AUTHENTICATE("authenticate"),
    /// Sending the message on, up to the next hop's reply.
    DELIVER("deliver"),
    /// Writing the message into the quarantine, synced.
    KEEP("keep");

    private final String label;

    Stage(String label) {
        this.label = label;
    }

    /// The word in decisions and metrics.
    public String label() {
        return label;
    }
}
