package org.bloomgate.server.api;

import static org.bloomgate.server.api.SearchParameters.BEFORE;
import static org.bloomgate.server.api.SearchParameters.CURSOR;
import static org.bloomgate.server.api.SearchParameters.LIMIT;
import static org.bloomgate.server.api.SearchParameters.SINCE;
import static org.bloomgate.server.http.Role.ADMIN;
import static org.bloomgate.server.http.Role.FLEET;
import static org.bloomgate.server.http.Role.NONE;
import static org.bloomgate.server.http.Role.QUARANTINE;
import static org.bloomgate.server.http.Role.READER;
import static org.bloomgate.server.http.Route.get;
import static org.bloomgate.server.http.Route.post;
import static org.bloomgate.server.http.RouteGroup.CHECK;
import static org.bloomgate.server.http.RouteGroup.LOOKUP;
import static org.bloomgate.server.http.RouteGroup.MESSAGES;
import static org.bloomgate.server.http.RouteGroup.METRICS;
import static org.bloomgate.server.http.RouteGroup.PASSWORDS;
import static org.bloomgate.server.http.RouteGroup.SNAPSHOTS;
import static org.bloomgate.server.http.RouteGroup.STATUS;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.bloomgate.base.config.Setting;
import org.bloomgate.decision.evaluation.ValueCheck;
import org.bloomgate.decision.journal.DecisionJournal;
import org.bloomgate.lists.mirror.MemoryExchange;
import org.bloomgate.lists.snapshot.LiveStatus;
import org.bloomgate.lists.snapshot.PublishedFiles;
import org.bloomgate.lists.snapshot.PublishedState;
import org.bloomgate.lists.snapshot.SharedEntries;
import org.bloomgate.lookup.local.EntryService;
import org.bloomgate.lookup.local.LiveEntries;
import org.bloomgate.lookup.remote.LookupQuestion;
import org.bloomgate.server.api.LayerChanges.Operation;
import org.bloomgate.server.api.LocalEntriesResource.Kind;
import org.bloomgate.server.http.Answer;
import org.bloomgate.server.http.AnswerJson;
import org.bloomgate.server.http.EntityTag;
import org.bloomgate.server.http.HttpOptions;
import org.bloomgate.server.http.ProblemType;
import org.bloomgate.server.http.Requirement;
import org.bloomgate.server.http.Route;
import org.bloomgate.server.http.Route.Body;
import org.bloomgate.server.metrics.GatewayMetrics;
import org.bloomgate.server.quarantine.QuarantineService;

/// The table of routes: path, role or group, body, resource, query parameters. `openapi.json` describes each.
public final class Routes {
    private static final String PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8";
    private static final List<String> READ_AND_CHANGE = List.of("GET", "HEAD", "POST", "DELETE");

    private final HttpOptions options;
    private final Services services;
    private final LiveEntries layers;
    private final ValueCheck values;
    private final DecisionJournal journal;
    private final InstantSource clock;
    private final EntryService entries;
    private final Body json;

    private Routes(HttpOptions options, Services services) {
        this.options = options;
        this.services = services;
        this.layers = services.lookups().layers();
        this.values = services.lookups().values();
        this.journal = services.messages().records().journal();
        this.clock = services.messages().records().clock();
        this.entries = new EntryService(layers::change, values::phones, clock);
        this.json = Body.json(options.maxBodyBytes());
    }

    record Health(String status) {}

    record Settings(List<Setting> settings) {}

    /// All routes, with new resources.
    public static List<Route> of(HttpOptions options, Services services) {
        Routes routes = new Routes(options, services);
        return Stream.of(
                        routes.checks(),
                        routes.snapshots(),
                        routes.memory(),
                        routes.state(),
                        routes.messages(),
                        routes.lists(),
                        documents())
                .flatMap(List::stream)
                .toList();
    }

    /// Called by applications and other gateways; `http.checksPerSecond` bounds the requests.
    private List<Route> checks() {
        Body message = new Body(MessagesResource.RAW_TYPES, options.maxMessageBytes());
        int maxItems = options.maxItems();
        return Stream.of(
                        post("/v1/passwords", PASSWORDS, json, new PasswordsResource(values))
                                .with(),
                        Route.getAcrossOrigins("/range/{prefix}", PASSWORDS, new RangeResource(layers)),
                        post(CheckResource.PATH, CHECK, json, new CheckResource(values, maxItems))
                                .with(),
                        post(LookupQuestion.PATH, LOOKUP, json, new LookupResource(layers, maxItems))
                                .with(),
                        post("/v1/messages", MESSAGES, message, new MessagesResource(services.messages()))
                                .with("mailFrom", "rcptTo", "client", "helo", "dns", "record"),
                        get("/v1/explain", READER, new ExplainResource(layers, values::phones))
                                .with("value", "kind"))
                .map(Route::rateLimited)
                .toList();
    }

    /// Called by mirrors.
    private List<Route> snapshots() {
        Path root = services.lists().snapshots();
        return List.of(
                get(
                        PublishedFiles.PATH + PublishedState.FILE_NAME,
                        SNAPSHOTS,
                        new StatementResource(root, PublishedState.FORM)),
                get(
                        PublishedFiles.PATH + SharedEntries.FILE_NAME,
                        SNAPSHOTS,
                        new StatementResource(root, SharedEntries.FORM)),
                get(PublishedFiles.PATH + "{generation}/{+file}", SNAPSHOTS, new SnapshotFileResource(root)));
    }

    /// What is remembered of senders and links. `/v1/memory` is for the other gateways of a group.
    private List<Route> memory() {
        MemoryResource memory = new MemoryResource(services.messages(), layers);
        return List.of(
                get("/v1/seen/{name}", READER, memory::findSeen).with(),
                get(MemoryExchange.PATH, FLEET, memory::list).with(),
                get(MemoryExchange.PATH + "/{origin}/{set}/{day}", FLEET, memory::findDayFile)
                        .with(),
                post(MemoryExchange.PATH + "/seen", FLEET, json, memory::answer).with(),
                post(MemoryExchange.PATH + "/join", ADMIN, json, memory::join).with());
    }

    private List<Route> state() {
        Supplier<LiveStatus> status = services.state().status();
        GatewayMetrics metrics = services.state().metrics();
        return List.of(
                get("/health/live", NONE, _ -> Answer.json(new Health("live"))),
                get("/health/ready", NONE, new ReadinessResource(layers, status)),
                get("/metrics", METRICS, _ -> Answer.text(PROMETHEUS_TEXT, metrics.scrape())),
                get("/v1/status", STATUS, new StatusResource(layers, status, journal, metrics, clock)),
                getTagged("/v1/status/hours", STATUS, () -> journal.hoursUntil(clock.instant())),
                getTagged(
                        "/v1/configuration",
                        READER,
                        () -> new Settings(services.state().settings().get())),
                get("/v1/audit", READER, new AuditResource(services.state().auditLog(), clock))
                        .with("who", "what", "value", SINCE, BEFORE, LIMIT, CURSOR));
    }

    /// A route of one object without parameters. The answer has its tag.
    private static Route getTagged(String path, Requirement requirement, Supplier<Record> object) {
        return get(path, requirement, request -> EntityTag.answer(request, AnswerJson.bytes(object.get())))
                .with();
    }

    private List<Route> messages() {
        QuarantineService quarantine = services.messages().quarantine();
        QuarantinedResource quarantined = new QuarantinedResource(
                services.messages(), entries, services.state().auditLog());
        ReportsResource reports = new ReportsResource(services.lookups(), entries, clock);
        return List.of(
                get("/v1/decisions", READER, new DecisionsResource(journal, quarantine, clock))
                        .with(
                                "mailFrom",
                                "rcptTo",
                                "client",
                                "value",
                                "feed",
                                "action",
                                "messageId",
                                "newLink",
                                "token",
                                SINCE,
                                BEFORE,
                                SearchParameters.DAY,
                                LIMIT,
                                CURSOR),
                get("/v1/quarantine", READER, new QuarantineResource(quarantine, clock))
                        .with(SINCE, BEFORE, "sender", "recipient", "feed", LIMIT, CURSOR),
                Route.of(READ_AND_CHANGE, "/v1/quarantine/{token}", QUARANTINE, json, quarantined)
                        .with(),
                get("/v1/quarantine/{token}/raw", QUARANTINE, new RawMessageResource(quarantined))
                        .with(),
                get("/v1/reports", QUARANTINE, reports::list).with("state", LIMIT),
                Route.of(List.of("GET", "HEAD", "POST"), "/v1/reports/{id}", QUARANTINE, json, reports)
                        .with(),
                localEntries(Kind.LISTINGS),
                post(Kind.LISTINGS.path() + "/preview", ADMIN, json, localEntriesResource(Kind.LISTINGS)::preview)
                        .with(),
                localEntries(Kind.EXCEPTIONS));
    }

    private LocalEntriesResource localEntriesResource(Kind kind) {
        return new LocalEntriesResource(
                kind, layers, entries, services.lookups().gates(), journal);
    }

    private Route localEntries(Kind kind) {
        return Route.of(READ_AND_CHANGE, kind.path(), READER, json, localEntriesResource(kind))
                .writtenBy(ADMIN)
                .with(kind.parameters());
    }

    /// Feeds, and the layers that are built from them.
    private List<Route> lists() {
        Services.Lists lists = services.lists();
        ReportDesk desk = new ReportDesk(clock);
        LayerChangeStart start = new LayerChangeStart(
                lists.changes(), lists.snapshots(), services.state().auditLog(), clock);
        RebuildsResource rebuilds = new RebuildsResource(lists.history(), lists.changes(), start);
        return List.of(
                get(
                                "/v1/feeds/report",
                                READER,
                                new FeedsReportResource(lists, services.state().status(), desk, clock))
                        .with(SINCE, LIMIT, CURSOR),
                get("/v1/shadow", READER, new ShadowResource(journal, options.requestTimeout(), desk, clock))
                        .with(SINCE, LIMIT, CURSOR),
                get("/v1/exports/{name}", READER, new ExportsResource(lists.exports())),
                Route.of(List.of("GET", "HEAD", "POST"), "/v1/rebuilds", READER, json, rebuilds)
                        .writtenBy(ADMIN)
                        .with("layer", LIMIT, CURSOR),
                post("/v1/rollback", ADMIN, json, request -> start.answer(request, Operation.ROLLBACK))
                        .with());
    }

    private static List<Route> documents() {
        OperatorPage page = new OperatorPage();
        return List.of(
                get("/openapi.json", NONE, new OpenApiResource()),
                get(ProblemType.PATH + "{name}", NONE, new ProblemsResource()),
                get("/", NONE, page::document),
                get("/page/{file}", NONE, page::file));
    }
}
