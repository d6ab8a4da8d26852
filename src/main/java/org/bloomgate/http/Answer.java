package org.bloomgate.http;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/// What a resource answers. Immutable: nobody keeps the octets handed in or out to change them.
final class Answer {
    private final int status;
    private final String mediaType;
    private final byte[] body;
    private final Map<String, String> headers;

    private Answer(int status, String mediaType, byte[] body, Map<String, String> headers) {
        this.status = status;
        this.mediaType = mediaType;
        this.body = body;
        this.headers = headers;
    }

    static Answer json(Record answer) {
        return new Answer(200, Resource.JSON, AnswerJson.octets(answer), Map.of());
    }

    static Answer text(String mediaType, String text) {
        return new Answer(200, mediaType, text.getBytes(StandardCharsets.UTF_8), Map.of());
    }

    static Answer octets(String mediaType, byte[] body) {
        return new Answer(200, mediaType, body, Map.of());
    }

    /// An answer that is its status and header fields.
    static Answer empty(int status) {
        return new Answer(status, "", new byte[0], Map.of());
    }

    static Answer problem(Problem problem) {
        return new Answer(problem.status(), Problem.MEDIA_TYPE, AnswerJson.octets(problem), Map.of());
    }

    /// The same with one header field more.
    Answer with(String header, String value) {
        Map<String, String> more = new HashMap<>(headers);
        more.put(header, value);
        return new Answer(status, mediaType, body, Map.copyOf(more));
    }

    /// The same with another status.
    Answer as(int other) {
        return new Answer(other, mediaType, body, headers);
    }

    /// The same, after which the connection is closed.
    Answer closing() {
        return with("Connection", "close");
    }

    boolean closes() {
        return headers.containsKey("Connection");
    }

    int status() {
        return status;
    }

    /// Empty when there is no body.
    String mediaType() {
        return mediaType;
    }

    byte[] body() {
        return body;
    }

    /// Header fields besides the media type.
    Map<String, String> headers() {
        return headers;
    }
}
