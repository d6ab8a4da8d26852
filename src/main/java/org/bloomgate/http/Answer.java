package org.bloomgate.http;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// What a resource answers. Immutable: nobody keeps the octets handed in or out to change them.
final class Answer {
    private final int status;
    private final String mediaType;
    private final byte[] body;
    private final Optional<FileSlice> file;
    private final Map<String, String> headers;

    private Answer(int status, String mediaType, byte[] body, Optional<FileSlice> file, Map<String, String> headers) {
        this.status = status;
        this.mediaType = mediaType;
        this.body = body;
        this.file = file;
        this.headers = headers;
    }

    private static Answer of(int status, String mediaType, byte[] body) {
        return new Answer(status, mediaType, body, Optional.empty(), Map.of());
    }

    static Answer json(Record answer) {
        return of(200, Resource.JSON, AnswerJson.octets(answer));
    }

    static Answer text(String mediaType, String text) {
        return of(200, mediaType, text.getBytes(StandardCharsets.UTF_8));
    }

    static Answer octets(String mediaType, byte[] body) {
        return of(200, mediaType, body);
    }

    /// A file or a part of one, read when it is sent.
    static Answer file(String mediaType, FileSlice file) {
        return new Answer(200, mediaType, new byte[0], Optional.of(file), Map.of());
    }

    /// An answer that is its status and header fields.
    static Answer empty(int status) {
        return of(status, "", new byte[0]);
    }

    static Answer problem(Problem problem) {
        return of(problem.status(), Problem.MEDIA_TYPE, AnswerJson.octets(problem));
    }

    /// The same with one header field more.
    Answer with(String header, String value) {
        Map<String, String> more = new HashMap<>(headers);
        more.put(header, value);
        return new Answer(status, mediaType, body, file, Map.copyOf(more));
    }

    /// The same with another status.
    Answer as(int other) {
        return new Answer(other, mediaType, body, file, headers);
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

    /// What is sent instead of the body.
    Optional<FileSlice> file() {
        return file;
    }

    byte[] body() {
        return body;
    }

    /// Header fields besides the media type.
    Map<String, String> headers() {
        return headers;
    }
}
