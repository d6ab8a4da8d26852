package org.bloomgate.server.http;

import java.util.Optional;
import java.util.Set;
import org.bloomgate.base.net.RateLimiter;

/// The sender of a request, by its token.
///
/// @param name of the operator, `admin` for the admin token; empty without a token
/// @param open groups of routes that need no role
/// @param quota of the token; empty if the limit of the client's address applies
public record Caller(String name, Role role, Set<RouteGroup> open, Optional<RateLimiter> quota) {

    public boolean may(Requirement requirement) {
        return role.meets(requirement) || (requirement instanceof RouteGroup group && open.contains(group));
    }
}
