package org.bloomgate.server.api;

import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.bloomgate.server.http.Route;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/// The operator's page as the service hands it out: its files, and what limits the effect of a mistake in them.
class OperatorPageIT {
    private static final Path FILES = Path.of("src/main/resources/org/bloomgate/server/api/page");
    private static final Pattern PRELOADED = Pattern.compile("<link rel=\"modulepreload\" href=\"/page/(.*?)\">");
    private static final Pattern IMPORTED = Pattern.compile("from '\\./(.*?)'");

    /// Markup from strings, handlers as text, other origins.
    private static final Pattern UNSAFE =
            Pattern.compile("innerHTML|outerHTML|insertAdjacentHTML|document\\.write|eval\\(|new Function"
                    + "|setAttribute\\('style|\\bstyle=|<[a-z][^>]* on[a-z]+=|(?i:(src|href)=[\"']?(https?:)?//)");

    private static final int MAX_LINES = 3_200;
    private static final int MAX_COMPRESSED_BYTES = 60_000;

    private static final LiveService SERVICE = LiveService.over(new SmallLayer().inForce());

    @AfterAll
    static void stop() {
        SERVICE.close();
    }

    private static List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(FILES)) {
            return files.sorted().toList();
        }
    }

    private static String field(HttpResponse<String> answer, String name) {
        return answer.headers().firstValue(name).orElse("");
    }

    @Test
    void policy_namesOnlyItsOwnOrigin() throws IOException {
        for (String path : List.of("/", "/page/main.js", "/page/page.css")) {
            HttpResponse<String> answer = SERVICE.get(path);
            String policy = field(answer, "Content-Security-Policy");
            assertTrue(policy.startsWith("default-src 'none'; script-src 'self'; style-src 'self'; "), policy);
            assertTrue(policy.contains("frame-ancestors 'none'; require-trusted-types-for 'script'"), policy);
            assertFalse(policy.contains("unsafe") || policy.contains("http"), policy);
            assertEquals("same-origin", field(answer, "Cross-Origin-Resource-Policy"));
        }
        for (Path file : files()) {
            assertFalse(UNSAFE.matcher(Files.readString(file)).find(), file.toString());
        }
    }

    @Test
    void document_preloadsEveryModule() throws IOException {
        String document = SERVICE.get("/").body();
        Set<String> preloaded = PRELOADED
                .matcher(document)
                .results()
                .map(match -> match.group(1))
                .collect(toSet());
        Set<String> imported = files().stream()
                .filter(file -> file.toString().endsWith(".js"))
                .flatMap(file -> IMPORTED.matcher(read(file)).results().map(match -> match.group(1)))
                .collect(toSet());
        assertEquals(imported, preloaded);
        for (Path file : files()) {
            String name = file.getFileName().toString();
            assertEquals(
                    name.equals("page.html") ? 404 : 200,
                    SERVICE.get("/page/" + name).statusCode(),
                    name);
        }
        assertEquals(404, SERVICE.get("/page/none.js").statusCode());
        assertEquals(404, SERVICE.get("/page/..%2fopenapi.json").statusCode());
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
    }

    @Test
    void knownFile_isNotSentAgain() {
        for (String path : List.of("/", "/page/main.js")) {
            HttpResponse<String> whole = SERVICE.get(path);
            assertEquals("no-cache", field(whole, "Cache-Control"));
            HttpResponse<String> again = SERVICE.send(HttpRequest.newBuilder(SERVICE.uri(path))
                    .header("If-None-Match", field(whole, "ETag"))
                    .build());
            assertEquals(304, again.statusCode());
            assertEquals(field(whole, "ETag"), field(again, "ETag"));
            assertEquals("", again.body());
        }
    }

    /// A script of this origin may run on the page: nothing that others wrote may be taken for one.
    @Test
    void onlyThePage_answersWithJavaScript() {
        for (Route route : SERVICE.routes()) {
            String path = route.path()
                    .replace("{file}", "main.js")
                    .replace("{+file}", "none")
                    .replaceAll("\\{.*?\\}", "none");
            HttpResponse<String> answer = SERVICE.get(path);
            assertEquals("nosniff", field(answer, "X-Content-Type-Options"), path);
            boolean script = field(answer, "Content-Type").contains("javascript");
            assertEquals(path.startsWith("/page/"), script, path);
        }
        assertEquals("nosniff", field(SERVICE.get("/nothing"), "X-Content-Type-Options"));
    }

    @Test
    void size_isBounded() throws IOException {
        int lines = 0;
        int compressed = 0;
        for (Path file : files()) {
            byte[] bytes = Files.readAllBytes(file);
            lines += (int) new String(bytes, StandardCharsets.UTF_8).lines().count();
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
                gzip.write(bytes);
            }
            compressed += out.size();
        }
        assertTrue(lines <= MAX_LINES, lines + " lines");
        assertTrue(compressed <= MAX_COMPRESSED_BYTES, compressed + " bytes compressed");
    }
}
