package org.bloomgate.server.http;

import java.util.Arrays;

/// A strong validator (RFC 9110, section 8.8.3).
///
/// @param opaque without its quotes; neither quote nor comma in it
public record EntityTag(String opaque) {

    /// Whether an `If-None-Match` field names it: a list of tags, weak ones too, or `*`.
    boolean isAmong(String field) {
        return field.strip().equals("*")
                || Arrays.stream(field.split(",", -1))
                        .map(tag -> tag.strip().replaceFirst("^W/", ""))
                        .anyMatch(this::isThis);
    }

    /// True if the client has it already, which is answered with 304.
    public boolean isKnownTo(Request request) {
        return request.header("If-None-Match").filter(this::isAmong).isPresent();
    }

    /// An answer with the tag, which clients cache and revalidate each time.
    public Answer on(Answer answer) {
        return answer.with("ETag", toString()).with("Cache-Control", "no-cache");
    }

    /// The same of content that never changes, which caches may keep for a year (RFC 8246).
    public Answer onImmutable(Answer answer) {
        return answer.with("ETag", toString()).with("Cache-Control", "public, max-age=31536000, immutable");
    }

    /// Whether an `If-Range` field names it. A date does not, and no weak tag.
    public boolean isThis(String field) {
        return field.strip().equals(toString());
    }

    @Override
    public String toString() {
        return "\"" + opaque + "\"";
    }
}
