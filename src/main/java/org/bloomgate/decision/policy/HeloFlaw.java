package org.bloomgate.decision.policy;

/// A flaw of the HELO or EHLO name that is seen without any list.
public enum HeloFlaw {
    NONE,
    /// The name of this host.
    OWN_NAME,
    /// Neither a domain nor an address literal, for example an address without brackets.
    SYNTAX
}
