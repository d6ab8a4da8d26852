package org.bloomgate.decision.policy;

/// A flaw of the name that a client gives in HELO or EHLO, without any list.
public enum HeloFlaw {
    NONE,
    /// The client says that it is this host.
    OWN_NAME,
    /// Neither a domain nor an address literal: a bare address among others.
    SYNTAX
}
