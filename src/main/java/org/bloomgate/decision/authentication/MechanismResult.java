package org.bloomgate.decision.authentication;

/// The result of a mechanism without its reason.
enum MechanismResult {
    PASS,
    FAIL,
    /// A query failed or reached a bound.
    UNKNOWN
}
