package org.bloomgate.server.spool;

/// The stages of a transaction whose duration is measured.
public enum Stage {
    /// Looking up the keys of the reverse-path.
    SENDER("sender"),
    /// MAIL and RCPT at the next hop.
    ENVELOPE("envelope"),
    /// Receiving the message, from 354 to the final dot.
    RECEIVE("receive"),
    /// Parsing the message for identifiers.
    READ("read"),
    /// Looking up the keys of the message.
    LOOKUP("lookup"),
    /// Authenticating the sender if the decision depends on it: mostly waiting for DNS.
    AUTHENTICATE("authenticate"),
    /// Delivering the message, up to the reply of the next hop.
    DELIVER("deliver"),
    /// Writing the message to the quarantine and syncing it.
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
