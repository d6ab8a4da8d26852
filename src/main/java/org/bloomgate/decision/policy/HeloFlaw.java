package org.bloomgate.decision.policy;

/// What is wrong with the name a client gives, by itself.
public enum HeloFlaw {
    NONE,
    /// The client says that it is this host.
    OWN_NAME,
    /// Neither a domain nor an address literal: a bare address among others.
    SYNTAX
}
