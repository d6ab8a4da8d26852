package org.bloomgate.server.api;

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
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.bloomgate.base.audit.AuditLog;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.base.config.Setting;
import org.bloomgate.base.net.CannotListenException;
import org.bloomgate.base.net.ClientMemory;
import org.bloomgate.base.net.Descriptors;
import org.bloomgate.decision.evaluation.MessageScan;
import org.bloomgate.decision.evaluation.ValueCheck;
import org.bloomgate.decision.journal.DecisionJournal;
import org.bloomgate.lists.report.ReportSource;
import org.bloomgate.lists.snapshot.LiveStatus;
import org.bloomgate.lists.snapshot.PublishedFiles;
import org.bloomgate.lists.snapshot.RebuildHistory;
import org.bloomgate.lookup.local.EntryService;
import org.bloomgate.lookup.local.ListingGates;
import org.bloomgate.lookup.local.LiveEntries;
import org.bloomgate.server.api.LocalEntriesResource.Kind;
import org.bloomgate.server.http.AnswerSender;
import org.bloomgate.server.http.BodyMemory;
import org.bloomgate.server.http.CheckRates;
import org.bloomgate.server.http.Dispatch;
import org.bloomgate.server.http.HttpOptions;
import org.bloomgate.server.http.ListenerTls;
import org.bloomgate.server.http.Resource;
import org.bloomgate.server.http.Route;
import org.bloomgate.server.http.SameSite;
import org.bloomgate.server.http.Tokens;
import org.bloomgate.server.http.WatchedConnections;
import org.bloomgate.server.metrics.GatewayMetrics;
import org.bloomgate.server.quarantine.QuarantineService;
import org.bloomgate.server.spool.MailRecords;
import org.bloomgate.server.spool.MessageSpool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The HTTP listener: creates the resources and configures the server. Requests run on virtual threads.
public final class HttpListener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpListener.class);

    /// Between two attempts to start again.
    private static final Duration RESTART = Duration.ofMillis(200);

    private static final int MAX_REQUEST_LINE_BYTES = 8 * 1024;
    private static final int MAX_HEADER_BYTES = 16 * 1024;
    private static final Duration DRAIN = Duration.ofSeconds(5);

    /// The resources bounded by `http.checksPerSecond`.
    private static final Set<String> CHECKS =
            Set.of("/v1/check", "/v1/messages", "/v1/passwords", "/v1/lookup", "/v1/explain", "/range/{prefix}");

    private final HttpOptions options;
    private final CheckRates checks;
    private final SameSite site;
    private volatile Tokens tokens;
    private final GatewayMetrics metrics;
    private final List<Resource> resources;
    private final BodyMemory bodies;
    private final int tcpConnections;
    private final WatchedConnections connections;
    private final Optional<ListenerTls> tls;
    private volatile WebServer server;
    private volatile boolean closing;

    /// @param layers the current layers with the entries of operators
    /// @param snapshots root folder of the snapshots, whose files are served
    /// @param status of the layers
    /// @param records of messages
    /// @param spools for messages that may be read twice
    /// @param gates check new listings
    /// @param history of the rebuilds on this machine
    /// @param changes starts rebuilds and rollbacks
    /// @param auditLog of changes by operators
    /// @param reports on the use of feeds
    /// @param settings of the current configuration
    /// @param exports that may leave this site
    /// @throws IOException if the certificate or its key cannot be used
    public HttpListener(
            HttpOptions options,
            LiveEntries layers,
            Path snapshots,
            Supplier<LiveStatus> status,
            ValueCheck values,
            MessageScan scan,
            MailRecords records,
            Supplier<MessageSpool> spools,
            GatewayMetrics metrics,
            ListingGates gates,
            QuarantineService quarantine,
            AuditLog auditLog,
            RebuildHistory history,
            LayerChanges changes,
            ReportSource reports,
            Supplier<List<Setting>> settings,
            ExportCopies exports)
            throws IOException {
        DecisionJournal journal = records.journal();
        InstantSource clock = records.clock();
        EntryService entries = new EntryService(layers::change, values::phones, clock);
        ReportDesk desk = new ReportDesk(clock);
        QuarantinedResource opened =
                new QuarantinedResource(quarantine, journal, entries, scan, auditLog, options, clock);
        LayerChangeStart start = new LayerChangeStart(changes, snapshots, auditLog, options, clock);
        this.options = options;
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
        List<Resource> api = List.of(
                new PasswordsResource(values, options),
                new RangeResource(layers),
                new CheckResource(values, options),
                new LookupResource(layers, options),
                new MessagesResource(scan, records, spools, options),
                new LivenessResource(),
                new ReadinessResource(layers, status),
                new MetricsResource(metrics),
                new PublishedStateResource(snapshots),
                new SharedEntriesResource(snapshots),
                new SnapshotFileResource(new PublishedFiles(snapshots)),
                new StatusResource(layers, status, journal, metrics, clock),
                new HoursResource(journal, clock),
                new ConfigurationResource(settings),
                new DecisionsResource(journal, clock),
                new ShadowResource(journal, options, clock, desk),
                new ExplainResource(layers, values::phones),
                new FeedsReportResource(reports, status, history, clock, desk),
                new OpenApiResource(),
                new ProblemsResource(),
                new LocalEntriesResource(Kind.LISTINGS, layers, entries, gates, journal, options, clock),
                new LocalEntriesResource(Kind.EXCEPTIONS, layers, entries, gates, journal, options, clock),
                new QuarantineResource(quarantine, clock),
                opened,
                new RawMessageResource(opened),
                new AuditResource(auditLog, clock),
                new RebuildsResource(history, changes, start),
                new RollbackResource(start),
                new ExportsResource(exports));
        this.resources =
                Stream.concat(api.stream(), OperatorPage.resources().stream()).toList();
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

    /// The routes of all resources.
    List<Route> routes() {
        return resources.stream().map(Resource::route).toList();
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
        for (Resource resource : resources) {
            routing.any(resource.route().path(), dispatch(resource));
        }
        routing.any(dispatch(new UnknownResource()));
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

    private Dispatch dispatch(Resource resource) {
        Optional<CheckRates> rates = CHECKS.contains(resource.route().path()) ? Optional.of(checks) : Optional.empty();
        return new Dispatch(resource, options.requestTimeout(), bodies, metrics, rates, site, () -> tokens);
    }
}
