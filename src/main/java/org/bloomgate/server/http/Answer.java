package org.bloomgate.server.http;

import io.helidon.http.Header;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The answer of a resource. Immutable; the bytes passed in or out must not be changed. An answer that is the
/// same for many requests can be reused.
public final class Answer {
    /// Permits pages of any origin to read the answer.
    public static final Header ANY_ORIGIN = HeaderValues.createCached(HeaderNames.ACCESS_CONTROL_ALLOW_ORIGIN, "*");

    private static final byte[] NOTHING = new byte[0];
    private static final Header JSON = mediaType(Resource.JSON);
    private static final Header PROBLEM = mediaType(Problem.MEDIA_TYPE);

    private final int status;
    private final byte[] body;
    private final Optional<FileSlice> file;
    private final List<Header> headers;
    private final Runnable after;
    private final Optional<byte[]> packed;

    private Answer(
            int status,
            byte[] body,
            Optional<FileSlice> file,
            List<Header> headers,
            Runnable after,
            Optional<byte[]> packed) {
        this.status = status;
        this.body = body;
        this.file = file;
        this.headers = headers;
        this.after = after;
        this.packed = packed;
    }

    private Answer(int status, byte[] body, Optional<FileSlice> file, List<Header> headers) {
        this(status, body, file, headers, () -> {}, Optional.empty());
    }

    private static Answer of(int status, byte[] body, Header mediaType) {
        return new Answer(status, body, Optional.empty(), List.of(mediaType));
    }

    private static Header mediaType(String mediaType) {
        return HeaderValues.createCached(HeaderNames.CONTENT_TYPE, mediaType);
    }

    public static Answer json(Record answer) {
        return json(AnswerJson.bytes(answer));
    }

    public static Answer json(byte[] answer) {
        return of(200, answer, JSON);
    }

    public static Answer text(String mediaType, String text) {
        return bytes(mediaType, text.getBytes(StandardCharsets.UTF_8));
    }

    public static Answer bytes(String mediaType, byte[] body) {
        return of(200, body, mediaType(mediaType));
    }

    /// A file or a part of one, read when it is sent.
    public static Answer file(String mediaType, FileSlice file) {
        return new Answer(200, NOTHING, Optional.of(file), List.of(mediaType(mediaType)));
    }

    /// An answer without a body.
    public static Answer empty(int status) {
        return new Answer(status, NOTHING, Optional.empty(), List.of());
    }

    public static Answer problem(Problem problem) {
        return of(problem.status(), AnswerJson.bytes(problem), PROBLEM);
    }

    /// The same answer with another header field.
    public Answer with(String header, String value) {
        return with(HeaderValues.createCached(HeaderNames.create(header), value));
    }

    /// The same answer with more header fields.
    public Answer with(Header... more) {
        return new Answer(
                status,
                body,
                file,
                Stream.concat(headers.stream(), Stream.of(more)).toList(),
                after,
                packed);
    }

    /// The same answer with another status.
    public Answer as(int other) {
        return new Answer(other, body, file, headers, after, packed);
    }

    /// The same answer, with code that runs after it was sent or could not be sent.
    public Answer then(Runnable done) {
        return new Answer(status, body, file, headers, done, packed);
    }

    /// The same answer with its body compressed now and not for each request. Used for constant content, as
    /// both forms stay in memory.
    public Answer packed() {
        return Compression.appliesTo(this)
                ? new Answer(status, body, file, headers, after, Optional.of(gzipped()))
                : this;
    }

    void done() {
        after.run();
    }

    /// The same answer, after which the connection is closed.
    Answer closing() {
        return with(HeaderValues.CONNECTION_CLOSE);
    }

    boolean closes() {
        return headers.contains(HeaderValues.CONNECTION_CLOSE);
    }

    int status() {
        return status;
    }

    /// The part of a file that is sent as the body.
    public Optional<FileSlice> file() {
        return file;
    }

    public byte[] body() {
        return body;
    }

    /// The body, compressed.
    byte[] gzipped() {
        return packed.orElseGet(() -> Compression.gzip(body));
    }

    /// The media type of the body; empty without one.
    String mediaType() {
        return headers.stream()
                .filter(header -> header.headerName().equals(HeaderNames.CONTENT_TYPE))
                .map(Header::get)
                .findFirst()
                .orElse("");
    }

    /// The header fields in order, without those that every answer has.
    List<Header> headers() {
        return headers;
    }
}
