package org.bloomgate.server.http;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;

/// An error as RFC 9457 problem details. The detail says what to do and never quotes the request.
///
/// @param type `/problems/NAME`, or `about:blank` where the status says what kind of problem it is
/// @param title the status in words
@JsonPropertyOrder({"type", "title", "status", "detail"})
public record Problem(String type, String title, int status, String detail) {

    public static final String MEDIA_TYPE = "application/problem+json";

    public static Problem of(int status, String title, String detail) {
        return new Problem("about:blank", title, status, detail);
    }

    public static Problem badRequest(String detail) {
        return of(400, "Bad Request", detail);
    }

    static Problem brokenBody() {
        return badRequest("the body breaks the protocol");
    }

    public static Problem notFound() {
        return of(404, "Not Found", "no such resource");
    }

    static Problem methodNotAllowed(String allowed) {
        return of(405, "Method Not Allowed", "this resource takes " + allowed);
    }

    static Problem timeout() {
        return of(408, "Request Timeout", "the body did not arrive in time");
    }

    public static Problem conflict(String detail) {
        return of(409, "Conflict", detail);
    }

    static Problem tooLarge(long maxBytes) {
        return of(413, "Content Too Large", "at most " + maxBytes + " bytes");
    }

    public static Problem tooMany(int maxItems) {
        return of(413, "Content Too Large", "at most " + maxItems + " items in one question");
    }

    static Problem mediaType(String wanted) {
        return of(415, "Unsupported Media Type", "send Content-Type: " + wanted);
    }

    static Problem tooOften(String detail) {
        return of(429, "Too Many Requests", detail);
    }

    static Problem internal() {
        return of(500, "Internal Server Error", "the fault is in the log of the server");
    }

    public static Problem unavailable(String detail) {
        return of(503, "Service Unavailable", detail);
    }
}
