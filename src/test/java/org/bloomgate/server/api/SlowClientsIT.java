package org.bloomgate.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.bloomgate.RecordCopy;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lookup.tier.LayerSource;
import org.bloomgate.server.http.HttpOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Clients that hold a connection without getting on.
class SlowClientsIT {
    private static final LayerSource LAYERS =
            new SmallLayer().lists(KeyKind.DOMAIN, "evil.example").inForce();
    private static final String HEAD = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n";
    private static final int PATIENCE_MILLIS = 20_000;
    private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(1);

    private static HttpOptions options(int maxConnections, Duration timeout) {
        return RecordCopy.with(
                RecordCopy.with(LiveService.OPTIONS, "maxConnections", maxConnections), "requestTimeout", timeout);
    }

    private static LiveService impatient() {
        return new LiveService(LAYERS, options(100, Duration.ofMillis(200)));
    }

    private static Socket connect(LiveService service, String bytes) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), service.port());
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.getOutputStream().write(bytes.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static String answer(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }

    @Test
    void requestStalledInItsHeader_isClosed() throws IOException {
        try (LiveService service = impatient()) {
            for (String bytes : new String[] {"G", "GET /health/live HTTP/1.1\r", HEAD, HEAD + "X-Long: x"}) {
                try (Socket socket = connect(service, bytes)) {
                    assertEquals("", answer(socket), bytes);
                }
            }
            assertFalse(service.log().contains("Internal server error"), service.log());
        }
    }

    @Test
    void stalledBody_isAnswered408() throws IOException {
        String post = "POST /v1/passwords HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
        List<Socket> stalled = new ArrayList<>();
        try (LiveService service = new LiveService(LAYERS, options(100, Duration.ofSeconds(1)))) {
            for (String bytes : new String[] {
                post + "Content-Length: 5\r\n\r\n",
                post + "Content-Length: 5\r\n\r\n{",
                post + "Transfer-Encoding: chunked\r\n\r\n",
                post + "Transfer-Encoding: chunked\r\n\r\n5\r\n{",
                post + "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"
            }) {
                stalled.add(connect(service, bytes));
            }
            for (Socket socket : stalled) {
                assertTimeout(answer(socket));
                socket.close();
            }
            String metrics = service.get("/metrics").body();
            assertTrue(metrics.contains("_count{resource=\"/v1/passwords\",status=\"408\"} 5"), metrics);
            assertFalse(service.log().contains("Internal server error"), service.log());
        }
    }

    @Test
    void bodyMissingAfter100Continue_isAnswered408() throws IOException {
        String bytes = """
            POST /v1/passwords HTTP/1.1\r
            Host: localhost\r
            Content-Type: application/json\r
            Expect: 100-continue\r
            Content-Length: 5\r
            \r
            """;
        try (LiveService service = new LiveService(LAYERS, options(100, Duration.ofSeconds(1)));
                Socket socket = connect(service, bytes)) {
            String interim = "HTTP/1.1 100 Continue\r\n\r\n";
            String answer = answer(socket);
            assertTrue(answer.startsWith(interim), answer);
            assertTimeout(answer.substring(interim.length()));
        }
    }

    private static void assertTimeout(String answer) {
        assertTrue(answer.startsWith("HTTP/1.1 408 Request Timeout\r\n"), answer);
        assertTrue(answer.contains("\r\nContent-Type: application/problem+json\r\n"), answer);
        assertTrue(answer.contains("\r\nConnection: close\r\n"), answer);
        assertTrue(
                answer.endsWith("\r\n\r\n{\"type\":\"/problems/timeout\",\"title\":\"Request Timeout\",\"status\":408,"
                        + "\"detail\":\"the body did not arrive in time\"}"),
                answer);
    }

    @Test
    void headerSentByteByByte_isClosed() throws IOException {
        try (LiveService service = impatient();
                Socket socket = connect(service, HEAD + "X-Long: ")) {
            socket.setSoTimeout(20);
            assertThrows(IOException.class, () -> {
                int bytes = 0;
                while (bytes++ < PATIENCE_MILLIS / 20) {
                    socket.getOutputStream().write('x');
                    awaitPause(socket);
                }
            });
            assertEquals(200, service.get("/health/live").statusCode());
        }
    }

    private static void awaitPause(Socket socket) throws IOException {
        try {
            if (socket.getInputStream().read() < 0) {
                throw new IOException("closed");
            }
        } catch (SocketTimeoutException paused) {
            // Still open: the next byte.
        }
    }

    @Test
    void idleKeptAliveConnection_isClosed() throws IOException {
        try (LiveService service = impatient();
                Socket socket = connect(service, HEAD + "\r\n")) {
            String answer = answer(socket);
            assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
            assertTrue(answer.endsWith("{\"status\":\"live\"}"), answer);
        }
    }

    @Test
    void silentConnection_isClosed() throws IOException {
        try (LiveService service = impatient();
                Socket socket = connect(service, "")) {
            assertEquals("", answer(socket));
        }
    }

    @Test
    void clientThatReadsNoResponses_isClosed() throws IOException {
        try (LiveService service = impatient();
                Socket socket = connect(service, "")) {
            byte[] requests = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"
                    .repeat(100)
                    .getBytes(StandardCharsets.US_ASCII);
            assertThrows(IOException.class, () -> {
                for (int i = 0; i < 10_000; i++) {
                    socket.getOutputStream().write(requests);
                }
            });
            assertEquals(200, service.get("/health/live").statusCode());
        }
    }

    @Test
    void allConnectionsInUse_makeRoomForAnother() throws IOException {
        int most = 8;
        List<Socket> hoard = new ArrayList<>();
        try (LiveService service = new LiveService(LAYERS, options(most, Duration.ofSeconds(10)))) {
            for (int i = 0; i < most; i++) {
                hoard.add(connect(service, ""));
            }
            assertEquals(200, service.get("/health/live").statusCode());
            for (Socket socket : hoard) {
                socket.close();
            }
        }
    }

    /// Networks x what each of their connections sends before it is silent.
    @ParameterizedTest
    @CsvSource({
        "1, ''",
        "2, 'GET / HTTP/1.1'",
        "2, 'GET / HTTP/1.1|Host: a|X: '",
        "5, ''",
        "9, 'GET / HTTP/1.1|Host: a|'",
        "2, 'POST /v1/messages HTTP/1.1|Host: localhost|Content-Type: message/rfc822|Content-Length: 100||a'"
    })
    void stalledNetworks_leaveRoomForProbes(int networks, String begin) throws IOException {
        int most = 32;
        byte[] bytes = begin.replace("|", "\r\n").getBytes(StandardCharsets.US_ASCII);
        List<Socket> hoard = new ArrayList<>();
        try (LiveService service = new LiveService(LAYERS, options(most, Duration.ofSeconds(3)))) {
            for (int i = 0; i < 10 * most; i++) {
                InetAddress client = InetAddress.getByAddress(new byte[] {127, 0, (byte) (i % networks), 2});
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), service.port(), client, 0);
                hoard.add(socket);
                send(socket, bytes);
                if (i % most == 0) {
                    assertAnswered(service, "/health/live");
                    assertAnswered(service, "/metrics");
                }
            }
            for (Socket socket : hoard) {
                socket.close();
            }
        }
    }

    /// As a probe does, over a connection of its own.
    private static void assertAnswered(LiveService service, String path) throws IOException {
        long start = System.nanoTime();
        String answer = service.raw("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        Duration time = Duration.ofNanos(System.nanoTime() - start);
        assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
        assertTrue(time.compareTo(PROBE_TIMEOUT) < 0, time::toString);
    }

    private static void send(Socket socket, byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
        } catch (IOException closed) {
            // It made room for another.
        }
    }

    @Test
    void http10Request_isAnsweredAndClosed() throws IOException {
        try (LiveService service = LiveService.over(LAYERS)) {
            for (String bytes : new String[] {
                "GET /health/live HTTP/1.0\r\n\r\n",
                "GET /metrics HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n",
                "\r\nPOST /v1/check HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n{\"items\":[]}"
            }) {
                String answer = service.raw(bytes);
                assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
                assertTrue(answer.contains("Connection: close\r\n"), answer);
                assertFalse(answer.toLowerCase(Locale.ROOT).contains("transfer-encoding"), answer);
            }
        }
    }

    @Test
    void responseWithoutContent_hasNoLength() throws IOException {
        try (LiveService service = LiveService.over(LAYERS)) {
            String answer = service.raw(
                    "OPTIONS /range/ABCDE HTTP/1.1\r\nHost: localhost\r\nOrigin: https://a.example\r\nConnection: close\r\n\r\n");
            assertTrue(answer.startsWith("HTTP/1.1 204 "), answer);
            assertFalse(answer.toLowerCase(Locale.ROOT).contains("content-length"), answer);
        }
    }
}
