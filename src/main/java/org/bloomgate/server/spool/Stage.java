package org.bloomgate.server.spool;

import org.bloomgate.base.config.Labelled;

/// The stages of a transaction whose duration is measured. Decisions and metrics contain the label.
public enum Stage implements Labelled {
    /// Looking up the keys of the reverse-path.
    SENDER,
    /// MAIL and RCPT at the next hop.
    ENVELOPE,
    /// Receiving the message, from 354 to the final dot.
    RECEIVE,
    /// Parsing the message for identifiers.
    READ,
    /// Looking up the keys of the message.
    LOOKUP,
    /// Authenticating the sender if the decision depends on it: mostly waiting for DNS.
    AUTHENTICATE,
    /// Delivering the message, up to the reply of the next hop.
    DELIVER,
    /// Writing the message to the quarantine and syncing it.
    KEEP
}
