package org.bloomgate.base.net;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// A server that answers without end, with each status and each framing.
@Timeout(60)
class EndlessAnswersIT {
    private static final long MAX_BYTES = 1_000;

    /// What the sockets of both sides and the client of the JDK hold.
    private static final long IN_FLIGHT_BYTES = 16 << 20;

    private static final List<Integer> STATUSES =
            List.of(200, 203, 204, 206, 299, 301, 302, 304, 307, 308, 400, 401, 403, 404, 407, 416, 429, 500, 503, 599);

    private static final List<String> FRAMINGS = List.of(
            "",
            "Connection: close|",
            "Content-Length: 9000000000000|",
            "Transfer-Encoding: chunked|",
            "Transfer-Encoding: chunked|Location: /other|",
            "Location: /other|");

    private static final List<Function<ResponseInfo, BoundedBody<byte[]>>> READERS = List.of(
            _ -> BoundedBody.whole(MAX_BYTES, new AtomicLong(), () -> new IOException("too long")),
            _ -> BoundedBody.discarded(new byte[0]));

    private final AtomicLong sent = new AtomicLong();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private ServerSocket server;

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        server.close();
        client.shutdownNow();
    }

    /// What is sent once, and what is sent for ever after it.
    static Stream<Arguments> answers() {
        String chunk = "1000|" + "x".repeat(4096) + "|";
        Stream<Arguments> bodies = STATUSES.stream()
                .flatMap(status -> FRAMINGS.stream().map(framing -> {
                    String head = "HTTP/1.1 " + status + " X|" + framing + "|";
                    return Arguments.of(head, framing.startsWith("Transfer") ? chunk : "x".repeat(4096));
                }));
        Stream<Arguments> heads = Stream.of(
                Arguments.of("", "HTTP/1.1 100 Continue||"),
                Arguments.of("", "HTTP/1.1 102 Processing|X: " + "x".repeat(1000) + "||"),
                Arguments.of("", "HTTP/1.1 103 Early Hints|Link: </a>||"),
                Arguments.of("", "x"),
                Arguments.of("HTTP/1.1 200 ", "x"),
                Arguments.of("HTTP/1.1 404 X|X: ", "x".repeat(4096)),
                Arguments.of("HTTP/1.1 200 X|", "X: x|"),
                Arguments.of("HTTP/1.1 500 X|", "X-" + "y".repeat(4096) + ": x|"),
                Arguments.of("HTTP/1.1 200 X|Transfer-Encoding: chunked||", "1"),
                Arguments.of("HTTP/1.1 404 X|Transfer-Encoding: chunked||1;", "x"),
                Arguments.of("HTTP/1.1 200 X|Transfer-Encoding: chunked||0|", "X: x|"));
        return Stream.concat(bodies, heads);
    }

    @ParameterizedTest
    @MethodSource("answers")
    void endlessAnswer_endsAtTheBound(String once, String forEver) throws Exception {
        Thread _ = Thread.ofVirtual().start(() -> serve(bytes(once), bytes(forEver.repeat(8))));
        for (Function<ResponseInfo, BoundedBody<byte[]>> reader : READERS) {
            sent.set(0);
            long taken = taken(reader);
            assertTrue(taken <= MAX_BYTES, () -> taken + " bytes");
            assertTrue(sent.get() < IN_FLIGHT_BYTES, () -> sent + " bytes sent");
        }
    }

    /// Bytes of the body; -1 when the answer ended with an error, which must not be that of time.
    private long taken(Function<ResponseInfo, BoundedBody<byte[]>> reader) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.getLocalPort() + "/"))
                .build();
        try {
            return BoundedExchange.send(client, request, reader, Duration.ofSeconds(15))
                    .body()
                    .length;
        } catch (TimeoutException late) {
            throw new AssertionError("the answer went on for ever", late);
        } catch (IOException bounded) {
            return -1;
        }
    }

    private void serve(byte[] once, byte[] forEver) {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                Thread.ofVirtual().start(() -> answer(socket, once, forEver));
            } catch (IOException closed) {
                // at the end of the test
            }
        }
    }

    private void answer(Socket connection, byte[] once, byte[] forEver) {
        try (Socket socket = connection) {
            assertTrue(socket.getInputStream().read(new byte[4096]) > 0);
            OutputStream out = socket.getOutputStream();
            out.write(once);
            while (sent.get() < 2 * IN_FLIGHT_BYTES) {
                out.write(forEver);
                sent.addAndGet(forEver.length);
            }
        } catch (IOException closed) {
            // by the client
        }
    }

    private static byte[] bytes(String text) {
        return text.replace("|", "\r\n").getBytes(StandardCharsets.US_ASCII);
    }
}
