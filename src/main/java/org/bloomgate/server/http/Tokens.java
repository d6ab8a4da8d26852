package org.bloomgate.server.http;

import static java.util.stream.Collectors.joining;

import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.base.net.BearerToken;
import org.bloomgate.base.net.ListenAddress;
import org.bloomgate.base.net.RateLimiter;

/// The tokens of the configuration with their roles, and the groups of routes that need no token. A token is
/// looked up by its SHA-256, so that the duration reveals nothing about a token. Immutable except for the
/// quotas.
final class Tokens {
    /// The name of the admin token, which is not an operator's.
    static final String ADMIN = "admin";

    private final Map<String, Caller> callers = new HashMap<>();
    private final Caller anonymous;

    /// @param listen the address in use, which decides what `auto` opens
    Tokens(HttpOptions options, ListenAddress listen) {
        Set<RouteGroup> open = options.open().contains(RouteGroup.AUTO) && listen.isLoopback()
                ? EnumSet.allOf(RouteGroup.class)
                : Set.copyOf(options.open());
        anonymous = new Caller("", Role.NONE, open, Optional.empty());
        if (!options.adminToken().isEmpty()) {
            Caller admin = new Caller(ADMIN, Role.ADMIN, open, Optional.empty());
            callers.put(BearerToken.digest(options.adminToken()), admin);
        }
        options.operators().forEach((name, operator) -> {
            Caller caller = new Caller(name, operator.role(), open, quota(operator));
            callers.put(BearerToken.digest(operator.token()), caller);
        });
    }

    private static Optional<RateLimiter> quota(Operator operator) {
        return operator.checksPerSecond() == 0
                ? Optional.empty()
                : Optional.of(RateLimiter.perSecond(operator.checksPerSecond(), System::nanoTime));
    }

    /// The owner of a token, or the anonymous caller without a token; empty for an unknown token.
    Optional<Caller> caller(Optional<String> token) {
        return token.isEmpty()
                ? Optional.of(anonymous)
                : Optional.ofNullable(callers.get(Sha256.hex(token.get().getBytes(StandardCharsets.UTF_8))));
    }

    /// Returns the caller if it meets the requirement. An unknown token is rejected even where none is needed,
    /// so that an open page notices that its token was changed; routes for everyone, such as probes, accept any
    /// token.
    ///
    /// @throws ProblemException if the caller does not meet the requirement
    Caller admit(Optional<Caller> caller, Requirement requirement) {
        if (requirement == Role.NONE
                || caller.filter(one -> one.may(requirement)).isPresent()) {
            return caller.orElse(anonymous);
        }
        String roles = Stream.of(Role.values())
                .filter(role -> role.meets(requirement))
                .map(Role::label)
                .collect(joining(", "));
        Role role = caller.map(Caller::role).orElse(Role.NONE);
        if (role != Role.NONE) {
            throw new ProblemException(Problem.of(
                    ProblemType.ROLE_TOO_LOW,
                    "the role " + role.label() + " may not do this; roles that may: " + roles));
        }
        String detail = callers.isEmpty()
                ? "no one has a token yet: set http.adminToken or http.operators in the configuration"
                : "send Authorization: Bearer and a token with one of the roles " + roles;
        throw ProblemException.tokenRequired(detail);
    }
}
