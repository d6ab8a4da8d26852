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
import org.bloomgate.base.net.RateTable;

/// Who may do what: the tokens of the configuration with their roles, and the groups of routes that need none.
/// A token is looked up by its SHA-256, so that the time this takes reveals nothing of a token. Immutable but for
/// the quotas.
public final class Tokens {
    /// The name of the admin token, which belongs to no person.
    static final String ADMIN = "admin";

    private final Map<String, Caller> callers = new HashMap<>();
    private final Caller nobody;

    /// @param listen the address in use, which decides what `auto` opens
    public Tokens(HttpOptions options, ListenAddress listen) {
        Set<RouteGroup> open = options.open().contains(RouteGroup.AUTO) && listen.loopback()
                ? EnumSet.allOf(RouteGroup.class)
                : Set.copyOf(options.open());
        nobody = new Caller("", Role.NONE, open, Optional.empty());
        if (!options.adminToken().isEmpty()) {
            Caller admin = new Caller(ADMIN, Role.ADMIN, open, Optional.empty());
            callers.put(BearerToken.digest(options.adminToken()), admin);
        }
        options.operators().forEach((name, operator) -> {
            Caller caller = new Caller(name, operator.role(), open, quota(operator));
            callers.put(BearerToken.digest(operator.token()), caller);
        });
    }

    private static Optional<RateTable> quota(Operator operator) {
        return operator.checksPerSecond() == 0
                ? Optional.empty()
                : Optional.of(RateTable.perSecond(operator.checksPerSecond(), System::nanoTime));
    }

    /// The owner of a token, or anybody without one; empty for a token that no one has.
    Optional<Caller> caller(Optional<String> token) {
        return token.isEmpty()
                ? Optional.of(nobody)
                : Optional.ofNullable(callers.get(Sha256.hex(token.get().getBytes(StandardCharsets.UTF_8))));
    }

    /// The caller if it meets the requirement. A wrong token is refused where none is needed too: a page that
    /// was left open must notice that its token was changed. Routes for everyone, such as probes, accept any.
    ///
    /// @throws ProblemException when the request may not be answered
    Caller admit(Optional<Caller> caller, Requirement requirement) {
        if (requirement == Role.NONE
                || caller.filter(one -> one.may(requirement)).isPresent()) {
            return caller.orElse(nobody);
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
