package org.bloomgate.decision.authentication;

/// What a mechanism proves, whatever the reason.
enum MechanismResult {
    PASS,
    FAIL,
    /// A query failed or met a bound.
    UNKNOWN
}
