package org.bloomgate.server.http;

import io.helidon.common.socket.SocketOptions;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http1.Http1Config;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.base.net.CannotListenException;
import org.bloomgate.base.net.ClientMemory;
import org.bloomgate.base.net.Descriptors;
import org.bloomgate.server.metrics.GatewayMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The HTTP listener: serves the routes. Requests run on virtual threads.
public final class HttpListener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpListener.class);

    /// Between two attempts to start again.
    private static final Duration RESTART = Duration.ofMillis(200);

    private static final int MAX_REQUEST_LINE_BYTES = 8 * 1024;
    private static final int MAX_HEADER_BYTES = 16 * 1024;
    private static final Duration DRAIN = Duration.ofSeconds(5);

    /// Answers every path that has no route.
    private static final Route OTHER = Route.of(
            List.of(),
            "other",
            Role.NONE,
            new Route.Body(List.of(), Long.MAX_VALUE),
            _ -> Answer.problem(Problem.notFound()));

    private final HttpOptions options;
    private final CheckRates checks;
    private final SameSite site;
    private volatile Tokens tokens;
    private final GatewayMetrics metrics;
    private final List<Route> routes;
    private final BodyMemory bodies;
    private final int tcpConnections;
    private final WatchedConnections connections;
    private final Optional<ListenerTls> tls;
    private volatile WebServer server;
    private volatile boolean closing;

    /// @param routes in the order in which they are tried
    /// @throws IOException if the certificate or its key cannot be used
    public HttpListener(HttpOptions options, List<Route> routes, GatewayMetrics metrics) throws IOException {
        this.options = options;
        this.routes = List.copyOf(routes);
        this.checks = new CheckRates(options.checksPerSecond());
        this.tokens = new Tokens(options, options.listen());
        this.tls = options.tls().enabled() ? Optional.of(ListenerTls.open(options.tls())) : Optional.empty();
        this.site = new SameSite(options);
        this.metrics = metrics;
        this.tcpConnections =
                Descriptors.HTTP.fit("http connections", options.maxConnections() + WatchedConnections.HEADROOM);
        this.connections =
                new WatchedConnections(options, Math.max(1, tcpConnections - WatchedConnections.HEADROOM), limits());
        this.bodies = new BodyMemory(ClientMemory.ofProcess(), options.requestTimeout(), connections::endStalledBody);
        this.server = server(options.listen().port());
    }

    /// Applies the operators, the admin token and the open groups of other options from the next request on.
    public void use(HttpOptions next) {
        tokens = new Tokens(next, options.listen());
    }

    /// Binds the address and begins to serve.
    ///
    /// @throws IOException if the address cannot be bound
    public HttpListener start() throws IOException {
        server.start();
        if (!server.isRunning()) {
            // the server logs the reason and returns as if it were running
            throw new CannotListenException("http.listen", options.listen(), whyNot());
        }
        return this;
    }

    private IOException whyNot() {
        try (ServerSocket again = new ServerSocket()) {
            again.bind(new InetSocketAddress(
                    options.listen().resolve(), options.listen().port()));
            return new BindException("it was taken a moment ago");
        } catch (IOException e) {
            return e;
        }
    }

    /// The port bound, which differs from the configured one when that is 0.
    public int port() {
        return server.port();
    }

    /// Waits up to five seconds for requests in progress, and releases the port.
    @Override
    public void close() {
        closing = true;
        server.stop();
        connections.close();
        tls.ifPresent(ListenerTls::close);
    }

    private WebServer server(int port) {
        WebServerConfig.Builder server = WebServer.builder()
                .host(options.listen().host())
                .port(port)
                .routing(this::route)
                .directHandlers(AnswerSender.protocolProblems())
                .maxPayloadSize(largestBody() + AnswerSender.LINGER_BYTES)
                .maxTcpConnections(tcpConnections)
                .connectionOptions(connections.accepting(
                        SocketOptions.builder().tcpNoDelay(true).build()))
                .protocolsDiscoverServices(false)
                .addConnectionSelector(connections)
                .shutdownHook(false)
                .shutdownGracePeriod(DRAIN);
        tls.map(ListenerTls::forServer).ifPresent(server::tls);
        return server.build();
    }

    private static Http1Config.Builder limits() {
        return Http1Config.builder()
                .maxPrologueLength(MAX_REQUEST_LINE_BYTES)
                .maxHeadersSize(MAX_HEADER_BYTES)
                .continueImmediately(false)
                .sendKeepAliveHeader(false);
    }

    /// The server refuses what is beyond its own bound without reading on, so that a client who is still
    /// sending may see a reset instead of the answer: bodies a little too large are left to [RequestBody].
    private long largestBody() {
        return Math.max(options.maxMessageBytes(), options.maxBodyBytes());
    }

    private void route(HttpRouting.Builder routing) {
        routes.forEach(route -> routing.any(route.path(), dispatch(route)));
        routing.any(dispatch(OTHER));
        routing.register(new Ended());
    }

    /// The server ends by itself when a connection cannot be accepted, as without a free descriptor.
    private final class Ended implements HttpService {
        @Override
        public void routing(HttpRules rules) {}

        @Override
        public void afterStop() {
            if (!closing) {
                BackgroundTask _ = BackgroundTask.startVirtual("http-restart", HttpListener.this::serveAgain);
            }
        }
    }

    private void serveAgain() throws InterruptedException {
        int port = server.port();
        LOG.error("http: listener ended unexpectedly (restarting)");
        server.stop();
        boolean started = false;
        while (!started && !closing) {
            Thread.sleep(RESTART);
            WebServer next = server(port);
            next.start();
            started = next.isRunning();
            server = started ? next : server;
        }
        if (closing) {
            server.stop();
        } else {
            LOG.info("http: listener accepts connections again");
        }
    }

    private Dispatch dispatch(Route route) {
        return new Dispatch(route, options.requestTimeout(), bodies, metrics, checks, site, () -> tokens);
    }
}
