package org.bloomgate.server.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class OlderRequestTest {
    private static final String CLOSE = "\r\nConnection: close\r\n";

    @Test
    void aRequestOfTodayPassesAsItIs() {
        String request = "GET / HTTP/1.1\r\nHost: x\r\n\r\nbody";
        assertEquals(request, whole(request));
        assertEquals("nonsense\r\n", whole("nonsense\r\n"));
    }

    @Test
    void emptyLinesBeforeARequestAreLeftOut() {
        assertEquals("GET / HTTP/1.1\r\n\r\n", whole("\r\n\r\nGET / HTTP/1.1\r\n\r\n"));
    }

    @Test
    void anOlderRequestAsksForTheConnectionToBeClosed() {
        assertEquals("GET / HTTP/1.1" + CLOSE + "Host: unknown.invalid\r\n\r\n", whole("GET / HTTP/1.0\r\n\r\n"));
        assertEquals(
                "POST /a HTTP/1.1" + CLOSE + "Content-Length: 4\r\nHost: unknown.invalid\r\n\r\n\r\n\r\n",
                whole(
                        "POST /a HTTP/1.0\r\nhost: x\r\nConnection: Keep-Alive\r\nKeep-Alive: 5\r\nContent-Length: 4\r\n\r\n\r\n\r\n"));
    }

    @Test
    void itIsTheSameHoweverTheBytesCome() {
        String request = "\r\nPOST /a HTTP/1.0\r\nHost: x\r\nContent-Length: 1\r\n\r\na";
        for (int piece = 1; piece < request.length(); piece++) {
            assertEquals(
                    "POST /a HTTP/1.1" + CLOSE + "Content-Length: 1\r\nHost: unknown.invalid\r\n\r\na",
                    pieces(request, piece));
        }
    }

    @Test
    void anEndlessHeadIsHandedOn() {
        String head = "GET / HTTP/1.0\r\n" + "a".repeat(30_000);
        assertEquals(head, whole(head));
        assertEquals("a".repeat(30_000), whole("a".repeat(30_000)));
    }

    private static String whole(String request) {
        return pieces(request, request.length());
    }

    /// After the first answer the server reads by itself.
    private static String pieces(String request, int size) {
        OlderRequest older = new OlderRequest();
        StringBuilder out = new StringBuilder();
        for (int at = 0; at < request.length(); at += size) {
            byte[] piece =
                    request.substring(at, Math.min(request.length(), at + size)).getBytes(ISO_8859_1);
            out.append(new String(out.isEmpty() ? older.append(piece) : piece, ISO_8859_1));
        }
        return out.toString();
    }
}
