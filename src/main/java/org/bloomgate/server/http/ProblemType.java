package org.bloomgate.server.http;

import org.bloomgate.base.config.Labelled;

/// The kinds of problems that a client can distinguish by `type`, each explained at `/problems/LABEL`. Other
/// problems are `about:blank` and distinguished by their status. `docs/api.md` has the same list.
public enum ProblemType implements Labelled {
    INVALID_VALUE(
            400,
            "A parameter or a field has a value that is not allowed, or a parameter is unknown."
                    + " The detail names it and says what is expected."),
    INVALID_BODY(
            400,
            "The body is not what is expected: malformed JSON, an unknown or missing field, a field of"
                    + " another type, or a body where none is expected."),
    TOKEN_REQUIRED(
            401,
            "The request has no token, or one that is not known."
                    + " Send Authorization: Bearer with the token of an operator."),
    ROLE_TOO_LOW(
            403,
            "The token is known, but its role does not include this operation."
                    + " The detail names the roles that do."),
    NOT_FOUND(404, "There is no such path, or no object of this name."),
    TIMEOUT(408, "The body did not arrive within 10 seconds."),
    CONFLICT(
            409,
            "The present state does not allow the operation. The detail says why, and how to do it nevertheless"
                    + " if that is possible."),
    MIRROR_READ_ONLY(
            409,
            "This machine is a mirror: its snapshots come from the publisher." + " Send the request to the publisher."),
    TOO_LARGE(
            413,
            "The body, or the number of items in it, exceeds the limit"
                    + " of this operation. The detail names the limit."),
    MEDIA_TYPE(415, "The body has a media type that this operation does not take. The detail names the one to send."),
    RATE_LIMITED(
            429,
            "The client sends more checks a second than http.checksPerSecond, or the quota of its token,"
                    + " allows. Retry-After says when to try again."),
    NO_SNAPSHOT(
            503,
            "No snapshot of the lists is in use, so nothing can be looked up."
                    + " Run a rebuild, or wait for the first one."),
    NO_PASSWORD_LIST(503, "No list of such passwords is loaded. Add a feed of kind password and rebuild."),
    STORAGE_FULL(503, "The server cannot write to its disk, most often because it is full. Its log has the fault.");

    /// The path prefix of the explanations.
    public static final String PATH = "/problems/";

    private final int status;
    private final String text;

    ProblemType(int status, String text) {
        this.status = status;
        this.text = text;
    }

    public int status() {
        return status;
    }

    /// The explanation: meaning and remedy.
    public String text() {
        return text;
    }

    /// The text of the status.
    String title() {
        return switch (status) {
            case 400 -> "Bad Request";
            case 401 -> "Unauthorized";
            case 403 -> "Forbidden";
            case 404 -> "Not Found";
            case 408 -> "Request Timeout";
            case 409 -> "Conflict";
            case 413 -> "Content Too Large";
            case 415 -> "Unsupported Media Type";
            case 429 -> "Too Many Requests";
            default -> "Service Unavailable";
        };
    }
}
