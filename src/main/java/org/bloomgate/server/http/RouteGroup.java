package org.bloomgate.server.http;

/// The groups of routes that `http.open` names. A request without a token is answered if the group of its route
/// is open.
public enum RouteGroup implements Requirement {
    /// On a loopback address all groups, elsewhere none. No route is in it.
    AUTO,
    CHECK,
    PASSWORDS,
    MESSAGES,
    STATUS,
    METRICS,
    SNAPSHOTS,
    LOOKUP
}
