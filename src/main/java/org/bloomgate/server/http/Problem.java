package org.bloomgate.server.http;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;

/// An error as RFC 9457 problem details. The detail says what to do and never quotes the request.
///
/// @param type path of a [ProblemType], or `about:blank` if the status alone is the kind of problem
/// @param title the text of the status
@JsonPropertyOrder({"type", "title", "status", "detail"})
public record Problem(String type, String title, int status, String detail) {

    public static final String MEDIA_TYPE = "application/problem+json";

    /// A problem without a type.
    public static Problem of(int status, String title, String detail) {
        return new Problem("about:blank", title, status, detail);
    }

    public static Problem of(ProblemType type, String detail) {
        return new Problem(ProblemType.PATH + type.label(), type.title(), type.status(), detail);
    }

    /// A problem with an invalid value.
    public static Problem badRequest(String detail) {
        return of(ProblemType.INVALID_VALUE, detail);
    }

    /// A problem with an invalid body.
    public static Problem invalidBody(String detail) {
        return of(ProblemType.INVALID_BODY, detail);
    }

    static Problem brokenBody() {
        return invalidBody("the body breaks the protocol");
    }

    public static Problem notFound() {
        return of(ProblemType.NOT_FOUND, "no such resource");
    }

    static Problem methodNotAllowed(String allowed) {
        return of(405, "Method Not Allowed", "this resource takes " + allowed);
    }

    static Problem timeout() {
        return of(ProblemType.TIMEOUT, "the body did not arrive in time");
    }

    public static Problem conflict(String detail) {
        return of(ProblemType.CONFLICT, detail);
    }

    static Problem tooLarge(long maxBytes) {
        return of(ProblemType.TOO_LARGE, "at most " + maxBytes + " bytes");
    }

    public static Problem tooMany(int maxItems) {
        return of(ProblemType.TOO_LARGE, "at most " + maxItems + " items in one request");
    }

    static Problem mediaType(String wanted) {
        return of(ProblemType.MEDIA_TYPE, "send Content-Type: " + wanted);
    }

    static Problem tooOften(String detail) {
        return of(ProblemType.RATE_LIMITED, detail);
    }

    static Problem internal() {
        return of(500, "Internal Server Error", "the fault is in the log of the server");
    }

    public static Problem unavailable(String detail) {
        return of(503, "Service Unavailable", detail);
    }
}
