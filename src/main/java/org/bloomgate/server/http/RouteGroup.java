package org.bloomgate.server.http;

/// The groups of routes that `http.open` names. A request without a token is answered if the group of its route
/// is open.
public enum RouteGroup implements Requirement {
    /// All groups on a loopback address, none elsewhere. Has no routes itself.
    AUTO,
    CHECK,
    PASSWORDS,
    MESSAGES,
    STATUS,
    METRICS,
    SNAPSHOTS,
    LOOKUP
}
