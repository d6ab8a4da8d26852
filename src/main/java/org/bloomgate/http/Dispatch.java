package org.bloomgate.http;

import io.helidon.http.HeaderValues;
import io.helidon.http.HttpMediaType;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.micrometer.core.instrument.Timer;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/// Takes a request of one path to its resource: method, media type and bounds first, then the resource, then the
/// answer. Whatever is wrong with the request becomes a problem; a fault of ours is logged once and answered with 500.
final class Dispatch implements Handler {
    private final Resource resource;
    private final Route route;
    private final Duration timeout;
    private final LargeBodies largeBodies;
    private final GatewayMetrics metrics;
    private final Map<Integer, Timer> timers = new ConcurrentHashMap<>();

    Dispatch(Resource resource, Duration timeout, LargeBodies largeBodies, GatewayMetrics metrics) {
        this.resource = resource;
        this.route = resource.route();
        this.timeout = timeout;
        this.largeBodies = largeBodies;
        this.metrics = metrics;
    }

    /// @throws RuntimeException when the connection failed or broke the protocol; the server ends it then
    @Override
    public void handle(ServerRequest request, ServerResponse response) {
        long begun = System.nanoTime();
        Answer answer = answer(request);
        timers.computeIfAbsent(answer.status(), status -> metrics.requests(route.path(), status))
                .record(Duration.ofNanos(System.nanoTime() - begun));
        AnswerSender.send(answer, request, response);
    }

    private Answer answer(ServerRequest request) {
        try {
            requireMethod(request);
            requireMediaType(request);
            return largeBodies.within(requireLength(request), () -> ask(request));
        } catch (ProblemException problem) {
            return problem.answer();
        } catch (BodyException unread) {
            return unread.problem().map(Answer::problem).orElseThrow(unread::connection);
        } catch (IOException | RuntimeException | StackOverflowError fault) {
            Faults.log(route.path(), fault);
            return Answer.problem(Problem.internal());
        }
    }

    private Answer ask(ServerRequest request) throws IOException {
        InputStream content =
                request.content().hasEntity() ? request.content().inputStream() : InputStream.nullInputStream();
        RequestBody body = new RequestBody(content, route.maxBodyBytes(), timeout);
        try {
            return resource.answer(body);
        } finally {
            body.requireSound();
        }
    }

    private void requireMethod(ServerRequest request) {
        if (!route.takes(request.prologue().method().text())) {
            throw new ProblemException(
                    Answer.problem(Problem.methodNotAllowed(route.allowed())).with("Allow", route.allowed()));
        }
    }

    private void requireMediaType(ServerRequest request) {
        boolean fits = route.mediaTypes().isEmpty()
                || request.headers()
                        .contentType()
                        .map(HttpMediaType::mediaType)
                        .filter(type -> route.mediaTypes().contains(type.text()))
                        .isPresent();
        if (!fits) {
            throw new ProblemException(Problem.mediaType(route.mediaTypes().getFirst()));
        }
    }

    /// The length announced, negative when the body is chunked.
    private long requireLength(ServerRequest request) {
        if (request.headers().contains(HeaderValues.TRANSFER_ENCODING_CHUNKED)) {
            return -1;
        }
        OptionalLong length = request.headers().contentLength();
        if (length.orElse(0) > route.maxBodyBytes()) {
            throw new ProblemException(Problem.tooLarge(route.maxBodyBytes()));
        }
        return length.orElse(0);
    }
}
