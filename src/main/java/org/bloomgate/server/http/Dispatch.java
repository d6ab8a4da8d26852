package org.bloomgate.server.http;

import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Method;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.micrometer.core.instrument.Timer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.bloomgate.base.io.IoText;
import org.bloomgate.base.net.BearerToken;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.decision.evaluation.ReadingRefusedException;
import org.bloomgate.server.metrics.GatewayMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Handles the requests of one route: checks rate, method and access, then media type and bounds, calls the
/// resource, and sends the answer. An invalid request is answered with a problem; an internal fault is logged
/// once and answered with 500.
final class Dispatch implements Handler {
    private static final Logger LOG = LoggerFactory.getLogger(Dispatch.class);
    private static final int STATUSES = 600;

    private final Route route;
    private final Duration timeout;
    private final BodyMemory bodies;
    private final GatewayMetrics metrics;
    /// Timers by status.
    private final AtomicReferenceArray<Timer> timers = new AtomicReferenceArray<>(STATUSES);

    private final Optional<CheckRates> rates;
    private final SameSite site;
    private final Supplier<Tokens> tokens;

    /// @param rates applied if the route is rate-limited
    /// @param tokens the current tokens
    Dispatch(
            Route route,
            Duration timeout,
            BodyMemory bodies,
            GatewayMetrics metrics,
            CheckRates rates,
            SameSite site,
            Supplier<Tokens> tokens) {
        this.route = route;
        this.timeout = timeout;
        this.bodies = bodies;
        this.metrics = metrics;
        this.rates = route.access().rateLimited() ? Optional.of(rates) : Optional.empty();
        this.site = site;
        this.tokens = tokens;
    }

    @Override
    public void handle(ServerRequest request, ServerResponse response) {
        long start = System.nanoTime();
        Answer answer = answer(request);
        timer(answer.status()).record(System.nanoTime() - start, TimeUnit.NANOSECONDS);
        try {
            AnswerSender.send(answer, request, response);
        } finally {
            answer.done();
        }
    }

    /// The timer of a status. Two threads that create it at the same time get the same one from the registry.
    private Timer timer(int status) {
        Timer timer = timers.get(status);
        if (timer == null) {
            timer = metrics.findRequestTimer(route.path(), status);
            timers.set(status, timer);
        }
        return timer;
    }

    private Answer answer(ServerRequest request) {
        try {
            Tokens currentTokens = tokens.get();
            Optional<Caller> caller = currentTokens.caller(token(request));
            rates.ifPresent(limit -> limit.require(caller, client(request)));
            boolean hasToken = caller.filter(one -> !one.name().isEmpty()).isPresent();
            site.require(request.prologue().method().text(), route.path(), request.headers(), hasToken);
            requireMethod(request);
            // before query and body are read, so that a client without access learns nothing else
            Caller admitted = currentTokens.admit(
                    caller, route.requirement(request.prologue().method().text()));
            requireMediaType(request);
            requireParameters(request);
            return bodies.within(
                    BodyMemory.cost(route, requireLength(request)), client(request), () -> answer(request, admitted));
        } catch (ProblemException problem) {
            return problem.answer();
        } catch (ReadingRefusedException busy) {
            return Answer.problem(Problem.unavailable("too busy to read a message; try again"))
                    .with("Retry-After", "10");
        } catch (BodyException unread) {
            return Answer.problem(unread.problem()).closing();
        } catch (IOException fault) {
            LOG.error("{}: {}", route.path(), IoText.describe(fault));
            return Answer.problem(
                    Problem.unavailable("a file could not be read or written; the fault is in the log of the server"));
        } catch (RuntimeException | StackOverflowError fault) {
            Faults.log(route.path(), fault);
            return Answer.problem(Problem.internal());
        }
    }

    private Answer answer(ServerRequest request, Caller caller) throws IOException {
        if (!request.content().hasEntity()) {
            return route.resource().answer(Request.of(request, noBody(), caller));
        }
        RequestBody body =
                new RequestBody(request.content().inputStream(), route.body().maxBytes(), timeout);
        try {
            Answer answer = route.resource().answer(Request.of(request, body, caller));
            body.throwFailure();
            return answer;
        } catch (RuntimeException | StackOverflowError fault) {
            body.throwFailure();
            throw fault;
        }
    }

    private RequestBody noBody() {
        return new RequestBody(InputStream.nullInputStream(), 0, timeout);
    }

    private static Optional<InetAddress> client(ServerRequest request) {
        return request.remotePeer().address() instanceof InetSocketAddress peer
                ? Optional.of(peer.getAddress())
                : Optional.empty();
    }

    private static Optional<String> token(ServerRequest request) {
        return request.headers().first(HeaderNames.AUTHORIZATION).flatMap(BearerToken::extract);
    }

    private void requireMethod(ServerRequest request) {
        if (!route.accepts(request.prologue().method().text())) {
            throw new ProblemException(
                    Answer.problem(Problem.methodNotAllowed(route.allowed())).with("Allow", route.allowed()));
        }
    }

    private void requireMediaType(ServerRequest request) {
        boolean needsMediaType = !route.body().mediaTypes().isEmpty()
                && request.prologue().method().equals(Method.POST);
        if (needsMediaType
                && !isExactly(route.body().mediaTypes().getFirst(), request)
                && !route.body().mediaTypes().contains(mediaType(request))) {
            throw new ProblemException(
                    Problem.mediaType(route.body().mediaTypes().getFirst()));
        }
    }

    private void requireParameters(ServerRequest request) {
        route.parameters().ifPresent(known -> {
            for (String name : request.query().names()) {
                if (!known.contains(name)) {
                    String hint = known.isEmpty() ? "none" : String.join(", ", new TreeSet<>(known));
                    throw new ProblemException(
                            Problem.badRequest("unknown query parameter; known parameters: " + hint));
                }
            }
        });
    }

    /// A quick check for the usual form of the field.
    private static boolean isExactly(String mediaType, ServerRequest request) {
        return request.headers()
                .first(HeaderNames.CONTENT_TYPE)
                .filter(mediaType::equals)
                .isPresent();
    }

    /// The media type of the request without parameters, in lower case; empty if the header is missing.
    private static String mediaType(ServerRequest request) {
        String field = request.headers().first(HeaderNames.CONTENT_TYPE).orElse("");
        int parameters = field.indexOf(';');
        return TextForms.lowerCase((parameters < 0 ? field : field.substring(0, parameters)).strip());
    }

    /// The stated length of the body, negative if it is chunked.
    private long requireLength(ServerRequest request) {
        if (request.headers().contains(HeaderValues.TRANSFER_ENCODING_CHUNKED)) {
            return -1;
        }
        OptionalLong length = request.headers().contentLength();
        if (length.orElse(0) > route.body().maxBytes()) {
            throw new ProblemException(
                    Answer.problem(Problem.tooLarge(route.body().maxBytes())).closing());
        }
        return length.orElse(0);
    }
}
