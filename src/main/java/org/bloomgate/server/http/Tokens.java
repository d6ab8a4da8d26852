package org.bloomgate.server.http;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.bloomgate.base.audit.Actor;

/// The access rights: the admin token and those of the operators by name may do everything, the read token may
/// only read, and only the former may open a message in quarantine.
public record Tokens(AdminToken admin, AdminToken reader, Map<String, AdminToken> operators) {
    /// The actor's name for the admin token, which belongs to no person.
    static final String ADMIN = "admin";

    /// The owner of a request's token.
    public enum Role {
        NOBODY,
        READER,
        ADMIN
    }

    public static Tokens of(HttpOptions options) {
        Map<String, AdminToken> operators = new TreeMap<>();
        options.operators().forEach((name, token) -> operators.put(name, new AdminToken(token)));
        return new Tokens(new AdminToken(options.adminToken()), new AdminToken(options.readToken()), operators);
    }

    public boolean openNothing() {
        return nobodyChanges() && reader.opensNothing();
    }

    private boolean nobodyChanges() {
        return admin.opensNothing() && operators.isEmpty();
    }

    /// A token that is given must be right: a page that was left open must notice that it was changed.
    ///
    /// @throws ProblemException when it is wrong
    public Role role(Request request) {
        if (request.header("Authorization").isEmpty()) {
            return Role.NOBODY;
        }
        if (reader.isGivenBy(request)) {
            return Role.READER;
        }
        requireReader(request);
        return Role.ADMIN;
    }

    /// @throws ProblemException when the request has none of the tokens
    public void requireReader(Request request) {
        if (openNothing()) {
            throw new ProblemException(Problem.of(
                    403, "Forbidden", "switched off: set http.adminToken or http.readToken in the configuration"));
        }
        if (!reader.isGivenBy(request) && who(request).isEmpty()) {
            throw refused("send Authorization: Bearer and the admin or the read token");
        }
    }

    /// Who may change something.
    ///
    /// @throws ProblemException when the request may change nothing
    public Actor requireAdmin(Request request) {
        if (reader.isGivenBy(request)) {
            throw new ProblemException(
                    Problem.of(403, "Forbidden", "the read token is read-only; this operation needs the admin token"));
        }
        if (nobodyChanges()) {
            throw new ProblemException(
                    Problem.of(403, "Forbidden", "switched off: set http.adminToken in the configuration"));
        }
        String who = who(request).orElseThrow(() -> refused("send Authorization: Bearer and the admin token"));
        return new Actor(who, SameSite.isOwnPage(request) ? Actor.Way.PAGE : Actor.Way.HTTP, request.peer());
    }

    private Optional<String> who(Request request) {
        return operators.entrySet().stream()
                .filter(one -> one.getValue().isGivenBy(request))
                .map(Map.Entry::getKey)
                .findFirst()
                .or(() -> admin.isGivenBy(request) ? Optional.of(ADMIN) : Optional.empty());
    }

    public static ProblemException refused(String detail) {
        return new ProblemException(
                Answer.problem(Problem.of(401, "Unauthorized", detail)).with("WWW-Authenticate", "Bearer"));
    }
}
