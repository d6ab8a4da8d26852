package org.bloomgate.server.http;

import io.helidon.common.buffers.BufferData;
import io.helidon.http.DateTime;
import io.helidon.http.DirectHandler.EventType;
import io.helidon.http.DirectHandler.TransportRequest;
import io.helidon.http.DirectHandler.TransportResponse;
import io.helidon.http.Header;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Method;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.DirectHandlers;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/// Sends answers: those of resources, and those of the server to requests that violate the protocol.
final class AnswerSender {
    private static final Header NO_STORE = HeaderValues.createCached(HeaderNames.CACHE_CONTROL, "no-store");
    private static final Header NO_SNIFF =
            HeaderValues.createCached(HeaderNames.create("X-Content-Type-Options"), "nosniff");

    private static final Header VARY = HeaderValues.createCached(HeaderNames.VARY, Compression.VARY);

    /// The most bytes of a rejected body that are read and discarded. A connection that is closed with unread
    /// bytes is reset, and the client might not get the answer.
    static final long LINGER_BYTES = 4 << 20;

    /// About the size of an answer with a problem.
    private static final int PROBLEM_BYTES = 512;

    private AnswerSender() {}

    /// @throws CloseConnectionException if the connection must be closed after the answer
    static void send(Answer answer, ServerRequest request, ServerResponse response) {
        response.status(answer.status());
        response.header(NO_STORE);
        response.header(NO_SNIFF);
        for (Header header : answer.headers()) {
            response.header(header);
        }
        if (answer.file().isPresent()) {
            sendFile(answer.file().get(), request, response);
        } else {
            sendBody(encode(answer, request, response), request, response);
        }
        if (answer.status() == 413 && !request.headers().contains(HeaderValues.EXPECT_100)) {
            linger(request);
        }
        if (answer.closes() || request.headers().contains(HeaderValues.CONNECTION_CLOSE)) {
            // Helidon up to 4.5.3 leaves a connection open that it has promised to close (helidon-io/helidon#12324).
            throw new CloseConnectionException("answered with Connection: close");
        }
    }

    /// Returns the body as it is sent, and adds the header fields of its encoding.
    private static byte[] encode(Answer answer, ServerRequest request, ServerResponse response) {
        if (!Compression.appliesTo(answer)) {
            return answer.body();
        }
        response.headers().setIfAbsent(VARY);
        if (!request.headers()
                .first(HeaderNames.ACCEPT_ENCODING)
                .filter(Compression::isAccepted)
                .isPresent()) {
            return answer.body();
        }
        response.header(Compression.GZIP);
        response.headers()
                .first(HeaderNames.ETAG)
                .ifPresent(tag -> response.header(HeaderValues.create(HeaderNames.ETAG, Compression.weak(tag))));
        return answer.gzipped();
    }

    private static void sendBody(byte[] body, ServerRequest request, ServerResponse response) {
        if (request.prologue().method().equals(Method.HEAD)) {
            response.headers().contentLength(body.length);
            response.send(new byte[0]);
        } else {
            response.send(body);
        }
    }

    private static void sendFile(FileSlice file, ServerRequest request, ServerResponse response) {
        response.headers().contentLength(file.length());
        if (request.prologue().method().equals(Method.HEAD)) {
            response.send(new byte[0]);
            return;
        }
        try (OutputStream out = response.outputStream()) {
            file.writeTo(out);
        } catch (IOException | UncheckedIOException e) {
            // Part of the file may be sent already, so only closing the connection reports the failure.
            throw new CloseConnectionException("a file was not sent whole", e);
        }
    }

    private static void linger(ServerRequest request) {
        byte[] buffer = new byte[8192];
        try (InputStream rest = request.content().inputStream()) {
            long count = 0;
            int read = 0;
            while (read >= 0 && count < LINGER_BYTES) {
                read = rest.read(buffer);
                count += read;
            }
        } catch (IOException | RuntimeException e) {
            // the client has disconnected or does not send a body: the connection is closed anyway
            return;
        }
    }

    /// The bytes of an answer after which the connection is closed, for a thread that does not handle the
    /// request.
    static BufferData closingAnswer(Problem problem) {
        Answer answer = Answer.problem(problem).closing();
        BufferData bytes = BufferData.growing(PROBLEM_BYTES);
        bytes.writeAscii("HTTP/1.1 " + problem.status() + ' ' + problem.title() + "\r\n");
        HeaderValues.create(HeaderNames.DATE, DateTime.rfc1123String()).writeHttp1Header(bytes);
        NO_STORE.writeHttp1Header(bytes);
        NO_SNIFF.writeHttp1Header(bytes);
        for (Header header : answer.headers()) {
            header.writeHttp1Header(bytes);
        }
        HeaderValues.create(HeaderNames.CONTENT_LENGTH, answer.body().length).writeHttp1Header(bytes);
        bytes.writeAscii("\r\n");
        bytes.write(answer.body());
        return bytes;
    }

    /// Problems for requests that never reach a resource.
    static DirectHandlers protocolProblems() {
        DirectHandlers.Builder handlers = DirectHandlers.builder();
        for (EventType type : EventType.values()) {
            handlers.addHandler(type, AnswerSender::protocolProblem);
        }
        return handlers.build();
    }

    private static TransportResponse protocolProblem(
            TransportRequest request, EventType type, Status status, ServerResponseHeaders headers, String message) {
        Problem problem = Problem.of(status.code(), status.reasonPhrase(), "the request breaks the protocol");
        return TransportResponse.builder()
                .status(status)
                .headers(headers)
                .header(HeaderNames.CONTENT_TYPE, Problem.MEDIA_TYPE)
                .keepAlive(false)
                .entity(AnswerJson.bytes(problem))
                .build();
    }
}
