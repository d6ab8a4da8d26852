package org.bloomgate.http;

import java.nio.charset.StandardCharsets;
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

    static Answer problem(Problem problem) {
        return new Answer(problem.status(), Problem.MEDIA_TYPE, AnswerJson.octets(problem), Map.of());
    }

    /// The same with one header field.
    Answer with(String header, String value) {
        return new Answer(status, mediaType, body, Map.of(header, value));
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
