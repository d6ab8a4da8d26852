package org.bloomgate.server.api;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.lang.model.SourceVersion;
import org.bloomgate.core.key.FeedKind;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.PasswordDigest;
import org.bloomgate.core.key.Use;
import org.bloomgate.lists.export.ExportReport;
import org.bloomgate.lists.snapshot.LiveStatus;
import org.bloomgate.lists.snapshot.PublishedStateWriter;
import org.bloomgate.lists.snapshot.SharedEntriesWriter;
import org.bloomgate.lists.snapshot.SnapshotManifest;
import org.bloomgate.lists.snapshot.Snapshots;
import org.bloomgate.lookup.local.LiveEntries;
import org.bloomgate.lookup.local.LocalFile;
import org.bloomgate.lookup.local.LocalOptions;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.server.http.Role;
import org.bloomgate.server.http.Route;
import org.bloomgate.server.http.RouteGroup;
import org.bloomgate.server.metrics.Build;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The document says what the running service does: every resource, and every answer as its schema has it.
class OpenApiIT {
    private static final Path PAGE = Path.of("src/main/resources/org/bloomgate/server/api/page");
    private static final List<String> METHODS = List.of("get", "head", "post", "delete", "options");
    /// Words of Go, TypeScript and Python that are none of Java, and a method of the generated Java clients: generators
    /// rename an operation that is called so.
    private static final Set<String> RESERVED = Set.of(
            "and",
            "as",
            "async",
            "await",
            "chan",
            "configuration",
            "debugger",
            "def",
            "defer",
            "del",
            "delete",
            "elif",
            "except",
            "export",
            "fallthrough",
            "from",
            "func",
            "function",
            "global",
            "go",
            "in",
            "is",
            "lambda",
            "let",
            "map",
            "nonlocal",
            "not",
            "or",
            "pass",
            "raise",
            "range",
            "select",
            "struct",
            "type",
            "typeof",
            "var",
            "with",
            "yield");

    /// Of a name that stands twice the second one counts: the first would be lost in silence.
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    @TempDir
    Path folder;

    private final JsonNode document = document();
    private final JsonSchema schemas = new JsonSchema(document);
    private Optional<LiveEntries> entries = Optional.empty();
    private Optional<LiveService> started = Optional.empty();
    private String generation = "";

    private static JsonNode document() {
        try {
            return JSON.readTree(OpenApiResource.read());
        } catch (IOException malformed) {
            throw new AssertionError(malformed);
        }
    }

    @BeforeEach
    void start() throws Exception {
        Path snapshots = folder.resolve("snapshots");
        SnapshotManifest manifest = Snapshots.publish(snapshots, "nightly", "evil.example");
        generation = manifest.generation();
        Files.createDirectories(snapshots.resolve("nightly", "20200102T030405Z-1a2b"));
        assertTrue(new PublishedStateWriter(snapshots, Optional.empty(), Duration.ofHours(1), LiveService.CLOCK)
                .publish());
        assertTrue(new SharedEntriesWriter(
                        snapshots, Optional.empty(), Optional.empty(), Duration.ofHours(1), LiveService.CLOCK)
                .publish(() -> SharedEntriesWriter.Entries.of("{}\n")));
        Key password = PasswordDigest.key(PasswordDigest.of("iloveyou"));
        SmallLayer layer = new SmallLayer()
                .lists(KeyKind.DOMAIN, "evil.example", Use.LINK, 0)
                .lists(KeyKind.PASSWORD, password.text(), Use.LINK, 7);
        LocalFile file = new LocalFile(new LocalOptions(folder.resolve("local")), LiveService.CLOCK);
        entries = Optional.of(new LiveEntries(layer.inForce(), file, LiveService.CLOCK));
        started = Optional.of(new LiveService(
                entries.get(),
                LiveService.WITH_TOKENS,
                snapshots,
                List.of(new LiveStatus.LayerStatus(
                        "nightly",
                        generation,
                        manifest.createdAt(),
                        Instant.EPOCH,
                        Optional.empty(),
                        1,
                        1,
                        manifest.feeds()))));
    }

    @AfterEach
    void stop() {
        started.ifPresent(LiveService::close);
        entries.ifPresent(LiveEntries::close);
    }

    private LiveService service() {
        return started.orElseThrow();
    }

    private static Set<String> names(JsonNode object) {
        Set<String> names = new TreeSet<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    @Test
    void routes_areExactlyTheDocumentedOnes() {
        Map<String, Set<String>> served = new TreeMap<>();
        for (Route route : service().routes()) {
            Set<String> methods = new TreeSet<>();
            route.methods().forEach(method -> methods.add(method.toLowerCase(Locale.ROOT)));
            served.put(route.path().replace("{+", "{"), methods);
            Set<String> mediaTypes = names(document.at("/paths")
                    .path(route.path())
                    .path("post")
                    .path("requestBody")
                    .path("content"));
            assertEquals(new TreeSet<>(route.body().mediaTypes()), mediaTypes, route.path());
        }
        Map<String, Set<String>> documented = new TreeMap<>();
        names(document.get("paths"))
                .forEach(
                        path -> documented.put(path, names(document.get("paths").get(path))));
        assertEquals(served, documented);
    }

    @Test
    void security_isThatOfTheRoutes() {
        for (Route route : service().routes()) {
            for (String method : route.methods()) {
                JsonNode operation = document.get("paths")
                        .get(route.path().replace("{+", "{"))
                        .get(method.toLowerCase(Locale.ROOT));
                String expected = switch (route.requirement(method)) {
                    case RouteGroup _ -> "[{},{\"token\":[]}]";
                    case Role role -> role == Role.NONE ? "" : "[{\"token\":[]}]";
                };
                assertEquals(expected, operation.path("security").toString(), method + " " + route.path());
            }
        }
    }

    @Test
    void document_isWellFormed() {
        assertEquals("3.0.3", document.get("openapi").asText());
        assertFalse(document.at("/info/title").asText().isEmpty());
        assertEquals(Build.version(), document.at("/info/version").asText());
        Set<String> ids = new HashSet<>();
        Set<String> tags = new HashSet<>();
        document.get("tags").forEach(tag -> tags.add(tag.get("name").asText()));
        for (String path : names(document.get("paths"))) {
            for (String method : names(document.get("paths").get(path))) {
                JsonNode operation = document.get("paths").get(path).get(method);
                assertTrue(METHODS.contains(method), path);
                String id = operation.get("operationId").asText();
                assertTrue(ids.add(id.toLowerCase(Locale.ROOT)), "twice: " + id);
                assertFalse(SourceVersion.isKeyword(id) || RESERVED.contains(id), id);
                assertTrue(tags.contains(operation.get("tags").get(0).asText()), path);
                assertFalse(operation.get("summary").asText().isEmpty(), path);
                Set<String> inPath = new TreeSet<>();
                operation.path("parameters").forEach(reference -> {
                    JsonNode one = schemas.resolved(reference);
                    if (one.get("in").asText().equals("path")) {
                        assertTrue(one.get("required").asBoolean());
                        inPath.add("{" + one.get("name").asText() + "}");
                    }
                });
                inPath.forEach(name -> assertTrue(path.contains(name), path + " has no " + name));
                assertEquals(path.split("\\{", -1).length - 1, inPath.size(), path);
                operation.get("responses").forEach(schemas::resolved);
                assertTrue(operation.get("responses").has("4XX"), path);
                operation.path("requestBody").path("content").forEach(this::examplesFitTheirSchema);
            }
        }
        document.findValues("$ref")
                .forEach(one -> schemas.resolved(JSON.createObjectNode().set("$ref", one)));
    }

    /// A generated client reads a message as text otherwise, and changes its bytes.
    @Test
    void filesOfAnyBytes_areBinary() {
        for (JsonNode responses : document.get("paths").findValues("responses")) {
            for (JsonNode content : responses.findValues("content")) {
                for (String mediaType : List.of("message/rfc822", "application/octet-stream")) {
                    assertEquals(
                            content.has(mediaType) ? "binary" : "",
                            content.path(mediaType).at("/schema/format").asText());
                }
            }
        }
    }

    private void examplesFitTheirSchema(JsonNode content) {
        for (JsonNode example : content.path("examples")) {
            assertEquals(List.of(), schemas.flaws(content.get("schema"), example.get("value")), example.toString());
        }
    }

    /// What generators of clients need: see the functions called.
    @Test
    void schemas_areFitForGenerators() {
        JsonNode components = document.get("components");
        assertEquals(Set.of("token"), names(components.get("securitySchemes")));
        for (String word : List.of("oneOf", "anyOf", "allOf", "const", "nullable")) {
            assertEquals(List.of(), document.findValues(word), word);
        }
        document.findValues("type").forEach(type -> assertFalse(type.isArray(), type.toString()));
        for (String name : names(components.get("schemas"))) {
            JsonNode schema = components.get("schemas").get(name);
            assertFit(name, ((ObjectNode) schema.deepCopy()).without("properties"));
            schema.path("properties").forEach(property -> assertFit(name, property));
        }
        Set<String> words = new HashSet<>();
        components
                .get("schemas")
                .forEach(schema -> schema.path("enum")
                        .forEach(word -> assertTrue(
                                words.add(word.asText()), word + " in two enums, constants of one Go package")));
        Set<String> componentNames = new HashSet<>();
        components
                .properties()
                .forEach(section -> names(section.getValue())
                        .forEach(name -> assertTrue(
                                componentNames.add(name.toLowerCase(Locale.ROOT)),
                                name + " in two sections, types of one Go package")));
        assertFit("paths", document.get("paths"));
        assertFit("responses", components.get("responses"));
    }

    /// Objects with properties have a name, fields beyond them are only ruled out in what clients send, and integers
    /// have a size, since a generator takes 32 bits otherwise.
    private void assertFit(String where, JsonNode part) {
        assertEquals(List.of(), part.findValues("properties"), "an object without a name in " + where);
        for (JsonNode others : part.findValues("additionalProperties")) {
            assertTrue(others.isObject() || isSent(where), where);
        }
        for (JsonNode holder : part.findParents("type")) {
            assertTrue(!holder.get("type").asText().equals("integer") || holder.has("format"), where);
        }
    }

    /// Whether only requests contain the schema.
    private boolean isSent(String schema) {
        String reference = "\"#/components/schemas/" + schema + "\"";
        return Stream.concat(
                        document.findValues("responses").stream(),
                        document.at("/components/responses").findValues("schema").stream())
                .noneMatch(answer -> answer.toString().contains(reference));
    }

    @Test
    void kinds_areThoseOfTheKeys() {
        List<String> labels = Stream.of(KeyKind.values()).map(KeyKind::label).toList();

        List<String> ofFeeds = Stream.of(FeedKind.values()).map(FeedKind::label).toList();

        assertEquals(labels, JSON.convertValue(document.at("/components/schemas/Kind/enum"), List.class));
        assertEquals(
                ofFeeds,
                JSON.convertValue(document.at("/components/schemas/LayerFeed/properties/kind/enum"), List.class));
        assertEquals(
                2,
                document.findValues("enum").stream()
                        .filter(JsonNode::isArray)
                        .filter(words -> words.toString().contains("\"domain\""))
                        .count());
    }

    @Test
    void actions_areThoseOfThePolicy() throws IOException {
        List<String> labels = Stream.of(Action.values()).map(Action::label).toList();
        String words = Files.readString(PAGE.resolve("format.js"));
        String colours = Files.readString(PAGE.resolve("page.css"));

        assertEquals(labels, JSON.convertValue(document.at("/components/schemas/Action/enum"), List.class));
        assertTrue(words.contains(labels.stream().collect(joining("', '", "ACTIONS = ['", "'];"))), words);
        for (String label : labels) {
            assertTrue(colours.contains(".c-" + label + " {"), label);
            assertEquals(2, colours.split("--" + label + ": ", -1).length - 1, label + " by day and by night");
        }
    }

    @Test
    void everyOperation_answersAsDocumented() throws Exception {
        int queried = 0;
        for (String path : names(document.get("paths"))) {
            for (String method : METHODS) {
                JsonNode operation = document.get("paths").get(path).path(method);
                if (!operation.isMissingNode()) {
                    for (JsonNode body : bodies(operation)) {
                        for (boolean fields : new boolean[] {false, true}) {
                            HttpResponse<String> answer = send(path, method, operation, body, fields);
                            assertTrue(
                                    answer.statusCode() / 100 == 2,
                                    method + path + answer.statusCode() + answer.body());
                            assertDocumented(path, method, answer);
                            queried++;
                        }
                    }
                }
            }
        }
        assertTrue(queried > 60, "asked " + queried);
    }

    private static List<JsonNode> bodies(JsonNode operation) {
        List<JsonNode> bodies = new ArrayList<>();
        for (JsonNode content : operation.path("requestBody").path("content")) {
            content.path("examples").forEach(example -> bodies.add(example.get("value")));
        }
        return bodies.isEmpty() ? List.of(TextNode.valueOf("")) : bodies;
    }

    /// @param fields whether to send the header fields and the optional parameters of the examples
    private HttpResponse<String> send(String path, String method, JsonNode operation, JsonNode body, boolean fields)
            throws IOException {
        String target = path;
        HttpRequest.Builder request = HttpRequest.newBuilder();
        StringJoiner query = new StringJoiner("&", "?", "").setEmptyValue("");
        ObjectNode queried = JSON.createObjectNode();
        for (JsonNode reference : operation.path("parameters")) {
            JsonNode parameter = schemas.resolved(reference);
            String name = parameter.get("name").asText();
            JsonNode given = parameter.get("example");
            if (given == null) {
                continue;
            }
            String example = (given.isArray() ? given.get(0) : given).asText().replace("GENERATION", generation);
            switch (parameter.get("in").asText()) {
                case "path" -> target = target.replace("{" + name + "}", example);
                case "query" -> {
                    if (fields || parameter.path("required").asBoolean()) {
                        query.add(name + "=" + example);
                        queried.put(name, example);
                    }
                }
                default -> {
                    if (fields) {
                        request.header(name, example);
                    }
                }
            }
        }
        if (path.startsWith("/v1/quarantine/")) {
            service().keep("0123456789AB");
        }
        if (path.startsWith("/v1/memory")) {
            service().joinGroup("mx1.example");
        }
        if (path.startsWith("/v1/reports")) {
            service().report();
        }
        service().exports = _ -> Optional.of(zone());
        // There is an entry to remove.
        if (method.equals("delete") && !path.contains("{")) {
            service().send(admin(HttpRequest.newBuilder(service().uri(path)), "post", queried));
        }
        request.uri(service().uri(target + query));
        if (path.endsWith("/join")) {
            try (LiveService peer = new LiveService(SmallLayer.none(), LiveService.WITH_TOKENS)) {
                peer.joinGroup("mx2.example");
                String url = peer.uri("").toString();
                return service()
                        .send(admin(request, method, JSON.createObjectNode().put("url", url)));
            }
        }
        return service().send(admin(request, method, body));
    }

    private ExportCopies.Copy zone() throws IOException {
        Path zone = Files.writeString(folder.resolve("zone"), "bad.example CNAME .\n");
        return new ExportCopies.Copy("text/dns", zone, zone, new ExportReport(1, 0, Map.of(), List.of()));
    }

    private static HttpRequest admin(HttpRequest.Builder request, String method, JsonNode body) throws IOException {
        String text = body.isTextual() ? body.asText() : JSON.writeValueAsString(body);
        if (!text.isEmpty()) {
            request.header("Content-Type", body.isTextual() ? "message/rfc822" : "application/json");
        }
        return request.header("Authorization", "Bearer " + LiveService.ADMIN)
                .method(
                        method.toUpperCase(Locale.ROOT),
                        text.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(text))
                .build();
    }

    private void assertDocumented(String path, String method, HttpResponse<String> answer) throws IOException {
        String what = method + " " + path + " " + answer.statusCode() + " " + answer.body();
        JsonNode responses = document.get("paths").get(path).get(method).get("responses");
        JsonNode documented = responses.path(Integer.toString(answer.statusCode()));
        assertFalse(documented.isMissingNode(), what);
        JsonNode response = schemas.resolved(documented);
        for (String name : names(response.path("headers"))) {
            boolean present = answer.headers().firstValue(name).isPresent();
            assertTrue(present || !response.at("/headers/" + name + "/required").asBoolean(true), name + ": " + what);
        }
        if (response.has("content")) {
            String mediaType =
                    answer.headers().firstValue("Content-Type").orElse("").replaceAll(";.*", "");
            JsonNode content = response.get("content").path(mediaType);
            assertFalse(content.isMissingNode(), mediaType + ": " + what);
            JsonNode value =
                    mediaType.endsWith("json") ? JSON.readTree(answer.body()) : TextNode.valueOf(answer.body());
            assertEquals(List.of(), schemas.flaws(content.get("schema"), value), what);
            if (mediaType.contains("problem")) {
                assertEquals(answer.statusCode(), value.get("status").asInt(), what);
            }
        } else {
            assertEquals("", answer.body(), what);
        }
    }

    @Test
    void rejectedRequest_isAnsweredAsDocumented() throws Exception {
        for (String path : names(document.get("paths"))) {
            JsonNode operation = document.get("paths").get(path).path("post");
            if (!operation.isMissingNode()) {
                assertRefused(path, 415, "application/xml", "{}");
                assertRefused(path, 413, json(operation), "[" + " ".repeat(520 * 1024) + "]");
                if (json(operation).equals("application/json")) {
                    assertRefused(path, 400, "application/json", "{");
                }
            }
        }
        assertRefused(
                "/v1/listings",
                "post",
                401,
                HttpRequest.newBuilder()
                        .method("POST", BodyPublishers.noBody())
                        .header("Content-Type", "application/json"));
        for (String path : List.of("/v1/listings", "/v1/exceptions", "/v1/status")) {
            assertRefused(path, "get", 401, HttpRequest.newBuilder().header("Authorization", "Bearer no"));
        }
        assertAnswered("/range/{prefix}", "/range/xyz", 400);
        assertAnswered("/range/{prefix}", "/range/00000?mode=md5", 400);
        assertAnswered("/range/{prefix}", "/range/00000?mode=ntlm", 503);
        assertAnswered("/v1/snapshots/{generation}/{file}", "/v1/snapshots/" + generation + "/none", 404);
        assertAnswered("/v1/snapshots/{generation}/{file}", "/v1/snapshots/none/manifest.json", 404);
        assertRefused(
                "/v1/snapshots/{generation}/{file}",
                "get",
                416,
                HttpRequest.newBuilder(service().uri("/v1/snapshots/" + generation + "/manifest.json"))
                        .header("Range", "bytes=99999999-"));
        for (String path : List.of("/range/EE8D8", "/v1/snapshots/announced", "/v1/snapshots/G/manifest.json")) {
            String target = path.replace("G", generation);
            String tag = service().get(target).headers().firstValue("ETag").orElseThrow();
            String template = path.replace("EE8D8", "{prefix}").replace("G/manifest.json", "{generation}/{file}");
            assertRefused(
                    template,
                    "get",
                    304,
                    HttpRequest.newBuilder(service().uri(target)).header("If-None-Match", tag));
        }
    }

    private static String json(JsonNode operation) {
        return names(operation.get("requestBody").get("content")).contains("application/json")
                ? "application/json"
                : "message/rfc822";
    }

    private void assertRefused(String path, int status, String mediaType, String body) throws IOException {
        assertRefused(
                path,
                "post",
                status,
                HttpRequest.newBuilder(service()
                                .uri(path.replace("{token}", "0123456789AB").replace("{id}", "0123456789AB")))
                        .header("Content-Type", mediaType)
                        .header("Authorization", "Bearer " + LiveService.ADMIN)
                        .method("POST", BodyPublishers.ofByteArray(body.getBytes(StandardCharsets.US_ASCII))));
    }

    private void assertRefused(String path, String method, int status, HttpRequest.Builder request) throws IOException {
        HttpResponse<String> answer = service()
                .send(
                        path.contains("{")
                                ? request.build()
                                : request.uri(service().uri(path)).build());
        assertEquals(status, answer.statusCode(), method + " " + path + " " + answer.body());
        assertDocumented(path, method, answer);
    }

    private void assertAnswered(String template, String target, int status) throws IOException {
        HttpResponse<String> answer = service().get(target);
        assertEquals(status, answer.statusCode(), target + " " + answer.body());
        assertDocumented(template, "get", answer);
    }

    @Test
    void noTokenInTheConfiguration_isUnauthorized() throws Exception {
        try (LiveService open = LiveService.over(SmallLayer.none())) {
            for (String path : List.of("/v1/listings", "/v1/exceptions")) {
                HttpResponse<String> answer = open.get(path);
                assertEquals(401, answer.statusCode());
                assertDocumented(path, "get", answer);
            }
            HttpResponse<String> notReady = open.get("/health/ready");
            assertEquals(503, notReady.statusCode());
            assertDocumented("/health/ready", "get", notReady);
            HttpResponse<String> unknown = open.post("/v1/passwords", "{\"password\":\"x\"}");
            assertEquals(503, unknown.statusCode());
            assertDocumented("/v1/passwords", "post", unknown);
        }
    }
}
