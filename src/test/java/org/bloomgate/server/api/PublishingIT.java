package org.bloomgate.server.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLHandshakeException;
import org.bloomgate.RecordCopy;
import org.bloomgate.base.tls.TrustedCertificates;
import org.bloomgate.lists.mirror.Mirror;
import org.bloomgate.lists.mirror.MirrorOptions;
import org.bloomgate.lists.snapshot.LayerDirectory;
import org.bloomgate.lists.snapshot.LiveStatus;
import org.bloomgate.lists.snapshot.ManifestFile;
import org.bloomgate.lists.snapshot.PublishedStateWriter;
import org.bloomgate.lists.snapshot.SnapshotManifest;
import org.bloomgate.lists.snapshot.SnapshotReader;
import org.bloomgate.lists.snapshot.SnapshotWriter;
import org.bloomgate.lists.snapshot.Snapshots;
import org.bloomgate.server.http.HttpOptions;
import org.bloomgate.server.http.Operator;
import org.bloomgate.server.http.Role;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Snapshots as others fetch them.
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PublishingIT {
    /// Beyond what the sockets of both sides take in.
    private static final int LARGE_BYTES = 64 << 20;

    @TempDir
    Path root;

    private SnapshotManifest manifest = Snapshots.none();
    private Optional<LiveService> service = Optional.empty();

    @BeforeEach
    void publish() throws Exception {
        manifest = Snapshots.publish(root, "nightly", "bad.example");
        assertTrue(new PublishedStateWriter(root, Optional.empty(), Duration.ofHours(36), LiveService.CLOCK).publish());
        service = Optional.of(publishing(LiveService.OPTIONS));
    }

    @AfterEach
    void close() {
        service.orElseThrow().close();
    }

    private LiveService publishing(HttpOptions options) {
        return LiveService.publishing(
                root,
                options,
                List.of(new LiveStatus.LayerStatus(
                        "nightly",
                        manifest.generation(),
                        manifest.createdAt(),
                        Instant.EPOCH,
                        Optional.empty(),
                        1,
                        1,
                        List.of())));
    }

    @Test
    void statement_namesCurrentGenerationsAndHasTag() throws Exception {
        HttpResponse<String> statement = get("announced");
        assertEquals(Files.readString(root.resolve("announced")), statement.body());
        assertTrue(statement.body().contains("layer nightly " + manifest.generation()), statement::body);
        String tag = field(statement, "ETag");
        HttpResponse<String> unchanged = get("announced", "If-None-Match", tag);
        assertEquals(304, unchanged.statusCode());
        assertEquals("", unchanged.body());
        assertEquals(tag, field(unchanged, "ETag"));
        assertEquals(200, get("announced", "If-None-Match", "\"other\"").statusCode());
    }

    @Test
    void manifestFile_isServedWithItsHashAsETag() throws Exception {
        Path directory = root.resolve("nightly").resolve(manifest.generation());
        for (ManifestFile file : manifest.files()) {
            HttpResponse<byte[]> answer = bytes(of(file.path()));
            assertEquals(200, answer.statusCode());
            assertArrayEquals(Files.readAllBytes(directory.resolve(file.path())), answer.body());
            assertEquals("\"" + file.sha256() + "\"", field(answer, "ETag"));
            assertEquals(Long.toString(file.sizeBytes()), field(answer, "Content-Length"));
            assertEquals("bytes", field(answer, "Accept-Ranges"));
            HttpResponse<String> known = get(of(file.path()), "If-None-Match", "\"x\", \"" + file.sha256() + "\"");
            assertEquals(304, known.statusCode());
        }
        HttpResponse<String> described = get(of("manifest.json"));
        assertEquals(Files.readString(directory.resolve("manifest.json")), described.body());
        assertEquals("application/json", field(described, "Content-Type"));
        assertEquals(
                304,
                get(of("manifest.json"), "If-None-Match", field(described, "ETag"))
                        .statusCode());
        assertEquals(404, get(of("manifest.json.sig")).statusCode(), "unsigned");
    }

    @Test
    void head_hasTheLength() {
        HttpResponse<String> head = live().send(
                        HttpRequest.newBuilder(live().uri("/v1/snapshots/" + of("domain.bloom")))
                                .HEAD()
                                .build());
        assertEquals(200, head.statusCode());
        assertEquals(Long.toString(bloom().sizeBytes()), field(head, "Content-Length"));
    }

    @Test
    void interruptedDownload_isResumed() throws Exception {
        ManifestFile bloom = bloom();
        byte[] whole = bytes(of("domain.bloom")).body();
        HttpResponse<byte[]> rest =
                bytes(of("domain.bloom"), "Range", "bytes=1000-", "If-Range", "\"" + bloom.sha256() + "\"");
        assertEquals(206, rest.statusCode());
        assertEquals("bytes 1000-" + (bloom.sizeBytes() - 1) + "/" + bloom.sizeBytes(), field(rest, "Content-Range"));
        assertArrayEquals(Arrays.copyOfRange(whole, 1000, whole.length), rest.body());
        HttpResponse<byte[]> other = bytes(of("domain.bloom"), "Range", "bytes=1000-", "If-Range", "\"other\"");
        assertEquals(200, other.statusCode());
        assertArrayEquals(whole, other.body());
        assertEquals(200, bytes(of("domain.bloom"), "Range", "bytes=0-1,4-5").statusCode());
        assertArrayEquals(
                Arrays.copyOfRange(whole, whole.length - 7, whole.length),
                bytes(of("domain.bloom"), "Range", "bytes=-7").body());
    }

    @Test
    void rangeBehindTheEnd_isAnswered416() {
        HttpResponse<String> answer = get(of("domain.bloom"), "Range", "bytes=" + bloom().sizeBytes() + "-");
        assertEquals(416, answer.statusCode());
        assertEquals("bytes */" + bloom().sizeBytes(), field(answer, "Content-Range"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "stray",
                "../nightly/current",
                "../../../nightly/current",
                "%2e%2e/current",
                "..%2fcurrent",
                "exact",
                "exact/",
                "exact/../stray",
                "/stray",
                "link",
                ".lock",
                "%00",
                "domain.bloom%00",
                "domain.bloom/x",
                ""
            })
    void fileOutsideTheManifest_isNotServed(String path) throws Exception {
        Path directory = root.resolve("nightly").resolve(manifest.generation());
        Files.writeString(directory.resolve("stray"), "secret");
        Files.createSymbolicLink(directory.resolve("link"), directory.resolve("domain.bloom"));
        String answer = live().raw("GET /v1/snapshots/" + manifest.generation() + "/" + path
                + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        assertTrue(answer.startsWith("HTTP/1.1 404 ") || answer.startsWith("HTTP/1.1 400 "), answer);
    }

    @Test
    void symbolicLink_isNotServed() throws Exception {
        Path file = root.resolve("nightly").resolve(manifest.generation()).resolve("domain.bloom");
        Files.move(file, root.resolve("outside"));
        Files.createSymbolicLink(file, root.resolve("outside"));
        assertEquals(404, get(of("domain.bloom")).statusCode());
    }

    @ParameterizedTest
    @ValueSource(strings = {"20200101T000000Z-0000", "nightly", "..", "current", ".work"})
    void unknownGeneration_isAnswered404(String generation) {
        assertEquals(404, get(generation + "/manifest.json").statusCode());
    }

    @Test
    void damagedManifest_isAnswered503() throws Exception {
        Files.writeString(root.resolve("nightly").resolve(manifest.generation()).resolve("manifest.json"), "{}");
        assertEquals(503, get(of("domain.bloom")).statusCode());
    }

    @Test
    void stalledReader_isClosed() throws Exception {
        publishLarge();
        HttpOptions impatient = RecordCopy.with(LiveService.OPTIONS, "requestTimeout", Duration.ofMillis(300));
        try (LiveService publisher = publishing(impatient);
                Socket socket = new Socket()) {
            socket.setReceiveBufferSize(16 * 1024);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), publisher.port()));
            String request = "GET /v1/snapshots/" + of("exact/large.sst") + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            assertThrows(IOException.class, () -> writeUntilClosed(socket));
            assertTrue(drained(socket.getInputStream()) < LARGE_BYTES);
        }
    }

    @Test
    void fileDeletedDuringDownload_isServedCompletely() throws Exception {
        publishLarge();
        HttpResponse<InputStream> answer = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(live().uri("/v1/snapshots/" + of("exact/large.sst")))
                                .build(),
                        BodyHandlers.ofInputStream());
        Files.delete(root.resolve("nightly").resolve(manifest.generation()).resolve("exact/large.sst"));
        try (InputStream body = answer.body()) {
            assertEquals(LARGE_BYTES, drained(body));
        }
    }

    @Test
    void certificate_makesTheListenerHttps() throws Exception {
        HttpOptions.Tls files = new HttpOptions.Tls(resource("loopback.pem"), resource("loopback.key"));
        HttpOptions secure = RecordCopy.with(LiveService.OPTIONS, "tls", files);
        try (LiveService publisher = publishing(secure);
                HttpClient trusting = client(Optional.of(Path.of(files.certificate())));
                HttpClient wary = client(Optional.empty())) {
            URI uri = URI.create("https://127.0.0.1:" + publisher.port() + "/v1/snapshots/" + of("domain.bloom"));
            HttpRequest request = HttpRequest.newBuilder(uri).build();
            HttpResponse<byte[]> answer = trusting.send(request, BodyHandlers.ofByteArray());
            assertEquals(bloom().sizeBytes(), answer.body().length);
            assertEquals("TLSv1.3", answer.sslSession().orElseThrow().getProtocol());
            assertThrows(SSLHandshakeException.class, () -> wary.send(request, BodyHandlers.ofByteArray()));
            assertThrows(IOException.class, () -> plainly(publisher.port()));
        }
    }

    @Test
    void unfinishedHandshake_isClosed() throws Exception {
        HttpOptions.Tls files = new HttpOptions.Tls(resource("loopback.pem"), resource("loopback.key"));
        HttpOptions secure = RecordCopy.with(LiveService.OPTIONS, "tls", files);
        HttpOptions impatient = RecordCopy.with(secure, "requestTimeout", Duration.ofMillis(300));
        try (LiveService publisher = publishing(impatient);
                Socket silent = new Socket(InetAddress.getLoopbackAddress(), publisher.port())) {
            assertEquals(0, drained(silent.getInputStream()));
        }
    }

    @Test
    void stalledBodyOverHttps_isAnswered408() throws Exception {
        HttpOptions.Tls files = new HttpOptions.Tls(resource("loopback.pem"), resource("loopback.key"));
        HttpOptions secure = RecordCopy.with(LiveService.OPTIONS, "tls", files);
        HttpOptions impatient = RecordCopy.with(secure, "requestTimeout", Duration.ofSeconds(1));
        String request = "POST /v1/passwords HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: 5\r\n\r\n{";
        try (LiveService publisher = publishing(impatient);
                HttpClient trusting = client(Optional.of(Path.of(files.certificate())));
                Socket socket = trusting.sslContext()
                        .getSocketFactory()
                        .createSocket(InetAddress.getLoopbackAddress(), publisher.port())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            String status = "HTTP/1.1 408 Request Timeout\r\n";
            byte[] answer = socket.getInputStream().readNBytes(status.length());
            assertEquals(status, new String(answer, StandardCharsets.US_ASCII));
        }
    }

    /// The two ends of the product, over HTTPS.
    @Test
    void mirror_fetchesOverHttps(@TempDir Path ours) throws Exception {
        HttpOptions.Tls files = new HttpOptions.Tls(resource("loopback.pem"), resource("loopback.key"));
        try (LiveService publisher = publishing(RecordCopy.with(LiveService.OPTIONS, "tls", files));
                Mirror mirror = mirror(ours, publisher, Optional.of(Path.of(files.certificate())));
                Mirror wary = mirror(ours, publisher, Optional.empty())) {
            assertFalse(wary.runRound());
            assertTrue(mirror.runRound(), () -> mirror.readStatus().toString());
            LayerDirectory layer = new LayerDirectory(ours, "nightly");
            assertEquals(Optional.of(manifest.generation()), layer.readCurrent());
            new SnapshotReader()
                    .open(layer.resolveGeneration(manifest.generation()))
                    .close();
            Files.delete(ours.resolve("nightly/current"));
            assertTrue(mirror.runRound(), "nothing new there, and all of it still wanted here");
            assertEquals(Optional.of(manifest.generation()), layer.readCurrent());
        }
    }

    @Test
    void mirrorWithoutTheRoleFleet_isRefused(@TempDir Path ours) throws Exception {
        Map<String, Operator> operators = Map.of(
                "mirrors", new Operator(Role.FLEET, "the-token-of-mirrors", 0),
                "ada", new Operator(Role.READER, "the-token-of-ada", 0));
        HttpOptions closed = RecordCopy.with(LiveService.OPTIONS, "open", List.of());
        try (LiveService publisher = publishing(RecordCopy.with(closed, "operators", operators))) {
            String url = "http://127.0.0.1:" + publisher.port();
            for (String token : List.of("", "the-token-of-ada", "a-token-that-no-one-has")) {
                try (Mirror refused = mirror(ours, url, Optional.empty(), token)) {
                    assertFalse(refused.runRound());
                    assertTrue(refused.readStatus().faults().toString().contains("mirror.token"));
                }
            }
            try (Mirror mirror = mirror(ours, url, Optional.empty(), "the-token-of-mirrors")) {
                assertTrue(mirror.runRound(), () -> mirror.readStatus().toString());
            }
        }
    }

    private static Mirror mirror(Path root, LiveService publisher, Optional<Path> caFile) throws IOException {
        return mirror(root, "https://127.0.0.1:" + publisher.port(), caFile, "");
    }

    private static Mirror mirror(Path root, String url, Optional<Path> caFile, String token) throws IOException {
        MirrorOptions options = new MirrorOptions(
                url,
                Duration.ofHours(1),
                caFile,
                Duration.ofSeconds(5),
                1 << 20,
                MirrorOptions.OnExpired.ALARM,
                false,
                token);
        return new Mirror(options, root, new SnapshotReader(), 2, LiveService.CLOCK);
    }

    @Test
    void unusableCertificate_isNamedAtTheStart() throws Exception {
        HttpOptions.Tls files = new HttpOptions.Tls(resource("loopback.pem"), resource("server-ec.key"));
        HttpOptions wrong = RecordCopy.with(LiveService.OPTIONS, "tls", files);
        Exception refused = assertThrows(Exception.class, () -> publishing(wrong));
        assertTrue(String.valueOf(refused.getMessage()).contains("http.tls: "), refused::getMessage);
    }

    private static void plainly(int port) throws IOException, InterruptedException {
        try (HttpClient client = client(Optional.empty())) {
            client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/health/live"))
                            .build(),
                    BodyHandlers.ofString());
        }
    }

    private static HttpClient client(Optional<Path> caFile) throws IOException {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(TrustedCertificates.context("caFile", caFile))
                .build();
    }

    private void publishLarge() throws IOException {
        try (SnapshotWriter writer = SnapshotWriter.begin(root, "nightly", Snapshots.NOW)) {
            Snapshots.write(writer, Snapshots.SUFFIXES, "bad.example");
            try (RandomAccessFile large = new RandomAccessFile(
                    writer.exactDirectory().resolve("large.sst").toFile(), "rw")) {
                large.setLength(LARGE_BYTES);
            }
            manifest = writer.publish(List.of(Snapshots.feed(1)), 1);
        }
    }

    /// The other side, busy with its answer, reads none of it.
    private static void writeUntilClosed(Socket socket) throws IOException {
        while (!socket.isClosed()) {
            socket.getOutputStream().write(new byte[8 * 1024]);
        }
    }

    private static long drained(InputStream in) {
        byte[] bytes = new byte[64 * 1024];
        long count = 0;
        try {
            int read = in.read(bytes);
            while (read >= 0) {
                count += read;
                read = in.read(bytes);
            }
        } catch (IOException reset) {
            return count;
        }
        return count;
    }

    private static String resource(String name) throws Exception {
        return Path.of(PublishingIT.class.getResource("/tls/" + name).toURI()).toString();
    }

    private LiveService live() {
        return service.orElseThrow();
    }

    private ManifestFile bloom() {
        return manifest.files().stream()
                .filter(file -> file.path().equals("domain.bloom"))
                .findFirst()
                .orElseThrow();
    }

    private String of(String file) {
        return manifest.generation() + "/" + file;
    }

    private HttpResponse<String> get(String path, String... headers) {
        return live().send(request(path, headers));
    }

    private HttpResponse<byte[]> bytes(String path, String... headers) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request(path, headers), BodyHandlers.ofByteArray());
        }
    }

    private HttpRequest request(String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(live().uri("/v1/snapshots/" + path));
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return request.build();
    }

    private static String field(HttpResponse<?> answer, String name) {
        return answer.headers().firstValue(name).orElse("");
    }
}
