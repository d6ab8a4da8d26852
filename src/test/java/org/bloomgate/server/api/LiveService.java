package org.bloomgate.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.stream.Stream;
import org.bloomgate.RecordCopy;
import org.bloomgate.base.audit.AuditLog;
import org.bloomgate.base.config.Setting;
import org.bloomgate.base.net.ClientMemory;
import org.bloomgate.base.net.ListenAddress;
import org.bloomgate.content.mime.MessageReader;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.PhoneNumbers;
import org.bloomgate.core.limit.MessageLimits;
import org.bloomgate.core.smtp.ClientIdentity;
import org.bloomgate.decision.evaluation.EvaluationRig;
import org.bloomgate.decision.evaluation.MessageEvaluator;
import org.bloomgate.decision.evaluation.MessageScan;
import org.bloomgate.decision.evaluation.ValueCheck;
import org.bloomgate.decision.journal.DayTotals;
import org.bloomgate.decision.journal.Decision;
import org.bloomgate.decision.journal.DecisionJournal;
import org.bloomgate.decision.journal.DecisionQuery;
import org.bloomgate.decision.journal.JournalPosition;
import org.bloomgate.decision.journal.MessageCounts;
import org.bloomgate.decision.keyjournal.KeyJournal;
import org.bloomgate.decision.memory.GroupOptions;
import org.bloomgate.decision.memory.SiteMemory;
import org.bloomgate.decision.policy.Policy;
import org.bloomgate.decision.policy.PolicyOptions;
import org.bloomgate.decision.reports.ReportStore;
import org.bloomgate.decision.reports.ReportedIdentifier;
import org.bloomgate.decision.reports.ReportedMessage;
import org.bloomgate.decision.reports.Reporter;
import org.bloomgate.decision.reports.Reports;
import org.bloomgate.lists.mirror.MemoryExchange;
import org.bloomgate.lists.report.FeedRow;
import org.bloomgate.lists.report.FeedsReport;
import org.bloomgate.lists.report.ReportSource;
import org.bloomgate.lists.snapshot.Condition;
import org.bloomgate.lists.snapshot.LiveStatus;
import org.bloomgate.lists.snapshot.RebuildHistory;
import org.bloomgate.lookup.local.ListingGates;
import org.bloomgate.lookup.local.ListingPreview;
import org.bloomgate.lookup.local.LiveEntries;
import org.bloomgate.lookup.local.LocalFile;
import org.bloomgate.lookup.local.LocalOptions;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.Entry;
import org.bloomgate.lookup.tier.LayerSource;
import org.bloomgate.lookup.tier.LookupCounts;
import org.bloomgate.lookup.tier.TwoTierLookup;
import org.bloomgate.server.http.HttpListener;
import org.bloomgate.server.http.HttpOptions;
import org.bloomgate.server.http.Operator;
import org.bloomgate.server.http.Role;
import org.bloomgate.server.http.Route;
import org.bloomgate.server.metrics.GatewayMetrics;
import org.bloomgate.server.nexthop.MaildirNextHop;
import org.bloomgate.server.nexthop.NextHopDialect;
import org.bloomgate.server.quarantine.Quarantine;
import org.bloomgate.server.quarantine.QuarantineEnvelope;
import org.bloomgate.server.quarantine.QuarantineIndex;
import org.bloomgate.server.quarantine.QuarantineRelease;
import org.bloomgate.server.quarantine.QuarantineService;
import org.bloomgate.server.quarantine.TestIntake;
import org.bloomgate.server.smtp.BytesInMemory;
import org.bloomgate.server.spool.MailMetrics;
import org.bloomgate.server.spool.MailRecords;
import org.bloomgate.server.spool.MemoryBudget;
import org.bloomgate.server.spool.MessageSpool;
import org.slf4j.LoggerFactory;

/// The whole service on a port of its own, with everything that is logged while it runs, at every level, by us
/// and by the server.
final class LiveService implements AutoCloseable {
    static final HttpOptions OPTIONS = new HttpOptions(
            ListenAddress.of("127.0.0.1:0"),
            "",
            100,
            64 * 1024,
            512 * 1024,
            10,
            Duration.ofSeconds(10),
            HttpOptions.Tls.none(),
            0,
            HttpOptions.defaults().open(),
            Map.of(),
            List.of());

    static final String ADMIN = "the-admin-token-of-the-test";
    static final String READER = "a-token-that-only-reads";

    /// With an admin token and a reader.
    static final HttpOptions WITH_TOKENS = RecordCopy.with(
            RecordCopy.with(OPTIONS, "adminToken", ADMIN),
            "operators",
            Map.of("reader", new Operator(Role.READER, READER, 0)));

    static final InstantSource CLOCK = InstantSource.fixed(SmallLayer.LAST_SEEN.plusSeconds(60));

    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private final ConcurrentLinkedQueue<String> loggedByServer = new ConcurrentLinkedQueue<>();
    private final Handler serverLog = new Handler() {
        @Override
        public void publish(LogRecord entry) {
            loggedByServer.add(
                    entry.getMessage() + " " + Arrays.toString(entry.getParameters()) + " " + entry.getThrown());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };
    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final java.util.logging.Logger serverRoot = java.util.logging.Logger.getLogger("io.helidon");
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Level levelBefore = root.getLevel();
    private final GatewayMetrics metrics;
    private final List<Route> routes;
    private final HttpListener listener;
    final Path folder = Path.of("target", "quarantine-" + UUID.randomUUID());
    private final Quarantine quarantine = new Quarantine(folder.resolve("quarantine"));
    final ReportStore reportStore = new ReportStore(folder.resolve("reports"));
    final KeptDecisions journal = new KeptDecisions();

    LiveService(LayerSource layers, HttpOptions options) {
        this(nothingLocal(layers), options);
    }

    private static LiveEntries nothingLocal(LayerSource layers) {
        try {
            Path none = Path.of("target", "none-" + UUID.randomUUID());
            return new LiveEntries(layers, new LocalFile(new LocalOptions(none), CLOCK), CLOCK);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    LiveService(LiveEntries layers, HttpOptions options) {
        this(layers, options, Path.of("target", "none"), List.of());
    }

    /// A publisher of what lies below a root.
    static LiveService publishing(Path snapshots, HttpOptions options, List<LiveStatus.LayerStatus> inForce) {
        return new LiveService(nothingLocal(SmallLayer.none()), options, snapshots, inForce);
    }

    /// Of a report with everything in it.
    static final FeedRow FEED = new FeedRow(
            "sample",
            "spam",
            3,
            2,
            Map.of("other", 1L),
            Map.of("reject", 2L, "tag", 1L),
            5,
            4,
            1,
            1,
            3,
            1,
            OptionalLong.of(7),
            4,
            2,
            OptionalLong.of(30),
            OptionalDouble.of(0.5));

    /// Objects to `shared.example` and knows the feed `test`.
    private static final ListingGates GATES = new ListingGates() {
        @Override
        public List<ListingPreview> preview(List<Entry> listings) {
            return listings.stream()
                    .map(listing -> ListingPreview.of(
                            listing,
                            objections(listing),
                            new ListingPreview.RecentMailShare(
                                    7,
                                    7,
                                    listing.key().text().equals("much.example") ? 5 : 3,
                                    5,
                                    true,
                                    List.of("0123456789AB"))))
                    .toList();
        }

        @Override
        public List<String> objections(Entry listing) {
            return listing.key().text().equals("shared.example") ? List.of("would list strangers") : List.of();
        }

        @Override
        public Set<String> feeds() {
            return Set.of("test");
        }
    };

    LiveService(LiveEntries layers, HttpOptions options, Path snapshots, List<LiveStatus.LayerStatus> inForce) {
        logged.start();
        root.setLevel(Level.TRACE);
        root.addAppender(logged);
        serverRoot.setLevel(java.util.logging.Level.ALL);
        serverRoot.addHandler(serverLog);
        LookupCounts counts = new LookupCounts();
        TwoTierLookup lookup = new TwoTierLookup(Duration.ofSeconds(1), counts);
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        metrics = new GatewayMetrics(registry, layers, CLOCK);
        metrics.bindLookups(counts);
        Policy policy = new Policy(PolicyOptions.defaults(), Map.of("default", Action.TAG));
        try {
            Files.createDirectories(folder);
            MessageEvaluator evaluator = EvaluationRig.evaluator(
                    lookup, policy, new MessageReader(MessageLimits.defaults()), Duration.ofDays(36_500), CLOCK);
            Services services = new Services(
                    new Services.Lookups(
                            layers,
                            new ValueCheck(layers, lookup, PhoneNumbers.INTERNATIONAL),
                            new Reports(reportStore, GATES, new AuditLog(folder.resolve("local")))),
                    new Services.Messages(
                            new MessageScan(layers, evaluator),
                            new MailRecords(
                                    journal,
                                    KeyJournal.none(),
                                    new MailMetrics(registry),
                                    TestIntake.below(folder),
                                    CLOCK,
                                    Optional.empty()),
                            () -> new MessageSpool(new MemoryBudget(4096), 4096, folder, options.maxMessageBytes()),
                            new QuarantineService(
                                    quarantine,
                                    new QuarantineIndex(quarantine, new ClientMemory(256 << 20)),
                                    () -> new QuarantineRelease(
                                            quarantine,
                                            new MaildirNextHop(folder.resolve("mail")),
                                            NextHopDialect.SMTP)),
                            () -> exchange),
                    new Services.Lists(
                            snapshots,
                            new RebuildHistory(folder.resolve("snapshots")),
                            changes,
                            since -> reports.since(since),
                            name -> exports.copy(name)),
                    new Services.State(
                            () -> new LiveStatus(inForce, List.copyOf(refusals), refusals.size()),
                            metrics,
                            () -> settings,
                            new AuditLog(folder.resolve("local"))));
            routes = Routes.of(options, services);
            listener = new HttpListener(options, routes, metrics);
            listener.start();
        } catch (IOException unbound) {
            stopRecording();
            throw new UncheckedIOException(unbound);
        }
    }

    /// Adds a report of a message with `phish.example`, and returns its identifier.
    String report() throws IOException {
        return reportStore.add(
                CLOCK.instant(),
                new Reporter("ann@dest.example", "192.0.2.0/24"),
                new ReportedMessage(
                        "invoice",
                        "a@phish.example",
                        "1@phish.example",
                        Optional.of("0123456789AB"),
                        Optional.of(CLOCK.instant()),
                        List.of("ben@dest.example"),
                        List.of(
                                new ReportedIdentifier(
                                        new Key(KeyKind.DOMAIN, "phish.example"), "link", Optional.empty()),
                                new ReportedIdentifier(
                                        new Key(KeyKind.DOMAIN, "www.dest.example"),
                                        "link",
                                        Optional.of("of a domain of the site or the reporter")))));
    }

    /// Joins a group as a gateway that has seen `seen.example` on the day of the clock.
    void joinGroup(String name) throws IOException {
        Path key = Files.write(folder.resolve("group.key"), new byte[32]);
        SiteMemory.Options options = new SiteMemory.Options(true, false, name, Optional.of(key));
        try (SiteMemory seeing = new SiteMemory(folder.resolve("memory"), options, CLOCK)) {
            seeing.links()
                    .orElseThrow()
                    .rememberDelivered("seen.example", List.of("b@dest.example"), Optional.empty(), true);
        }
        try (SiteMemory memory = new SiteMemory(folder.resolve("memory"), options, CLOCK)) {
            exchange = Optional.of(new MemoryExchange(
                    memory.group().orElseThrow(),
                    new GroupOptions("fleet", true, Optional.of(key), List.of(), ADMIN),
                    CLOCK));
        }
    }

    volatile Optional<MemoryExchange> exchange = Optional.empty();

    /// Makes what `/v1/feeds/report` is asked for.
    volatile ExportCopies exports = _ -> Optional.empty();

    volatile ReportSource reports = since -> new FeedsReport(since, 7, 2, 0, 1, List.of(FEED));

    /// What the configuration says.
    volatile List<Setting> settings = List.of(
            new Setting("a.b", "1", "2", true, Optional.of("x.yaml:7"), Optional.of("x.yaml"), OptionalInt.of(7)),
            new Setting("a.c", "1", "1", false, Optional.empty(), Optional.empty(), OptionalInt.empty()));

    /// What starts rebuilds: nothing starts, and all that was asked for is remembered.
    final StartedChanges changes = new StartedChanges();

    /// What the gateway refused.
    final List<Condition> refusals = new CopyOnWriteArrayList<>();

    static LiveService over(LayerSource layers) {
        return new LiveService(layers, OPTIONS);
    }

    /// Keeps a message back.
    void keep(String token) {
        String text = "From: A <a@sender.example>\r\nSubject: Hello\r\n\r\nSee http://evil.example/\u001b[2J\r\n";
        QuarantineEnvelope envelope = new QuarantineEnvelope(
                token,
                CLOCK.instant(),
                new ClientIdentity("192.0.2.7", 40_000, "", "mail.example", "ESMTP"),
                "a@sender.example",
                "FROM:<a@sender.example>",
                List.of(new QuarantineEnvelope.Recipient("b@rcpt.example", "TO:<b@rcpt.example>")),
                "listed",
                "listed at link",
                "A <a@sender.example>",
                "Hello",
                "sample",
                "phishing",
                "evil.example");
        try {
            quarantine.store(envelope, new byte[0], new BytesInMemory(text));
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }

    /// Messages that were released.
    List<Path> released() throws IOException {
        Path arrived = folder.resolve("mail").resolve("new");
        if (!Files.exists(arrived)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(arrived)) {
            return files.toList();
        }
    }

    /// As a reload does.
    void use(HttpOptions next) {
        listener.use(next);
    }

    List<Route> routes() {
        return routes;
    }

    int port() {
        return listener.port();
    }

    HttpResponse<String> get(String path) {
        return send(HttpRequest.newBuilder(uri(path)).build());
    }

    HttpResponse<String> post(String path, String json) {
        return post(path, "application/json", json.getBytes(StandardCharsets.UTF_8));
    }

    HttpResponse<String> post(String path, String mediaType, byte[] body) {
        return send(HttpRequest.newBuilder(uri(path))
                .header("Content-Type", mediaType)
                .POST(BodyPublishers.ofByteArray(body))
                .build());
    }

    URI uri(String path) {
        return URI.create("http://127.0.0.1:" + listener.port() + path);
    }

    HttpRequest.Builder request(String path, String token) {
        return HttpRequest.newBuilder(uri(path)).header("Authorization", "Bearer " + token);
    }

    HttpResponse<String> send(String token, String method, String path, String json) {
        return send(request(path, token)
                .header("Content-Type", "application/json")
                .method(method, json.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(json))
                .build());
    }

    /// The body of an answer that must be 200.
    static JsonNode json(HttpResponse<String> answer) throws IOException {
        assertEquals(200, answer.statusCode(), answer::body);
        return new JsonMapper().readTree(answer.body());
    }

    HttpResponse<String> send(HttpRequest request) {
        try {
            return client.send(request, BodyHandlers.ofString());
        } catch (IOException lost) {
            throw new AssertionError("no answer", lost);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError(interrupted);
        }
    }

    /// Bytes as they are; everything that comes back until the server closes.
    String raw(String bytes) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
            InputStream answer = socket.getInputStream();
            return new String(answer.readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    /// Everything logged so far, by us and by the server.
    String log() {
        StringBuilder all = new StringBuilder();
        for (ILoggingEvent event : List.copyOf(logged.list)) {
            all.append(event.getFormattedMessage()).append('\n');
            if (event.getThrowableProxy() != null) {
                all.append(event.getThrowableProxy().getMessage()).append('\n');
            }
        }
        loggedByServer.forEach(line -> all.append(line).append('\n'));
        return all.toString();
    }

    @Override
    public void close() {
        // An open connection holds the listener up.
        client.shutdownNow();
        listener.close();
        metrics.close();
        stopRecording();
    }

    private void stopRecording() {
        root.detachAppender(logged);
        root.setLevel(levelBefore);
        serverRoot.removeHandler(serverLog);
    }

    /// A journal in memory.
    static final class KeptDecisions implements DecisionJournal {
        private final ConcurrentLinkedQueue<Decision> kept = new ConcurrentLinkedQueue<>();
        private final MessageCounts counts = new MessageCounts();

        @Override
        public void record(Decision decision) {
            kept.add(decision);
            counts.add(decision);
        }

        @Override
        public DayTotals dayUntil(Instant now) {
            return counts.day(now);
        }

        boolean isEmpty() {
            return kept.isEmpty();
        }

        @Override
        public Optional<Decision> find(String token) {
            return kept.stream()
                    .filter(decision -> decision.token().equals(token))
                    .findFirst();
        }

        /// By token alone.
        @Override
        public SearchResult find(DecisionQuery query, Optional<JournalPosition> from, Duration within) {
            return new SearchResult(
                    Optional.ofNullable(query.texts().get(DecisionQuery.By.TOKEN)).flatMap(this::find).stream()
                            .toList(),
                    Optional.empty(),
                    Optional.empty());
        }

        @Override
        public void close() {}
    }
}
