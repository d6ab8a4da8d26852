package org.bloomgate.http;

/// Who may see and who may change: the admin token opens everything, the read token what is only looked at, and a
/// quarantined body to nobody else. Either is sent as `Authorization: Bearer TOKEN`; an empty one opens nothing.
record Tokens(AdminToken admin, AdminToken reader) {

    /// Whose token a request has.
    enum Role {
        NOBODY,
        READER,
        ADMIN
    }

    static Tokens of(HttpOptions options) {
        return new Tokens(new AdminToken(options.adminToken()), new AdminToken(options.readToken()));
    }

    boolean openNothing() {
        return admin.opensNothing() && reader.opensNothing();
    }

    /// A token that is given must be right: a page that was left open must notice that it was changed.
    ///
    /// @throws ProblemException when it is wrong
    Role role(Request request) {
        if (request.header("Authorization").isEmpty()) {
            return Role.NOBODY;
        }
        if (reader.isGivenBy(request)) {
            return Role.READER;
        }
        admin.require(request);
        return Role.ADMIN;
    }

    /// @throws ProblemException when the request has neither token
    void requireReader(Request request) {
        if (openNothing()) {
            throw new ProblemException(Problem.of(
                    403, "Forbidden", "switched off: set http.adminToken or http.readToken in the configuration"));
        }
        if (!reader.isGivenBy(request) && !admin.isGivenBy(request)) {
            throw AdminToken.refused("send Authorization: Bearer and the admin or the read token");
        }
    }

    /// @throws ProblemException when the request may change nothing
    void requireAdmin(Request request) {
        if (reader.isGivenBy(request)) {
            throw new ProblemException(
                    Problem.of(403, "Forbidden", "the read token sees and searches; this wants the admin token"));
        }
        admin.require(request);
    }
}
