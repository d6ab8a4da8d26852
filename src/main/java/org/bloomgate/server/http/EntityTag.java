package org.bloomgate.server.http;

import java.util.function.Supplier;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.core.text.TextScan;

/// A strong validator (RFC 9110, section 8.8.3).
///
/// @param opaque without quotes; contains neither quote nor comma
public record EntityTag(String opaque) {
    private static final int CONTENT_DIGITS = 32;

    /// True if an `If-None-Match` field contains this tag: a list of strong or weak tags, or `*`.
    boolean isAmong(String field) {
        return field.strip().equals("*")
                || TextScan.split(field, c -> c == ',').stream()
                        .map(String::strip)
                        .map(tag -> tag.startsWith("W/") ? tag.substring(2) : tag)
                        .anyMatch(this::isThis);
    }

    /// True if the client has this content already; the answer is then 304.
    public boolean isKnownTo(Request request) {
        return request.header("If-None-Match").filter(this::isAmong).isPresent();
    }

    /// An answer with JSON and the tag of its bytes; 304 to a client that has them.
    public static Answer answer(Request request, byte[] json) {
        return of(json).answer(request, () -> Answer.json(json));
    }

    /// The tag of content.
    public static EntityTag of(byte[] content) {
        return new EntityTag(Sha256.hex(content).substring(0, CONTENT_DIGITS));
    }

    /// An answer with this tag; 304 to a client that has it.
    public Answer answer(Request request, Supplier<Answer> content) {
        return on(isKnownTo(request) ? Answer.empty(304) : content.get());
    }

    /// An answer with the tag, which clients cache and revalidate each time.
    public Answer on(Answer answer) {
        return answer.with("ETag", toString()).with("Cache-Control", "no-cache").with("Vary", Compression.VARY);
    }

    /// The same for content that never changes, which may be cached for a year (RFC 8246).
    public Answer onImmutable(Answer answer) {
        return answer.with("ETag", toString()).with("Cache-Control", "public, max-age=31536000, immutable");
    }

    /// True if an `If-Range` field is this tag. A date or a weak tag is not.
    public boolean isThis(String field) {
        return field.strip().equals(toString());
    }

    @Override
    public String toString() {
        return "\"" + opaque + "\"";
    }
}
