package org.bloomgate.rehearsal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MadeUpNextHopTest {
    private static final String GREETING = "220 localhost ready";

    /// All that is answered to what is said at once.
    private static List<String> answers(MadeUpNextHop hop, String said) throws IOException {
        try (Socket client = connected(hop)) {
            client.getOutputStream().write(said.getBytes(StandardCharsets.ISO_8859_1));
            client.shutdownOutput();
            return lines(client).lines().toList();
        }
    }

    private static Socket connected(MadeUpNextHop hop) throws IOException {
        return new Socket(hop.address().getAddress(), hop.address().getPort());
    }

    private static BufferedReader lines(Socket client) throws IOException {
        return new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.ISO_8859_1));
    }

    @Test
    void aMessageEndsWithADotOnALineOfItsOwn() throws IOException {
        for (String message :
                List.of("", "x\r\n", "..\r\n", "a\r\n.b\r\n", "x\n.\n\r\n", "x\r\r\n", "\r\n.\r\r\n", "x.\r\n")) {
            try (MadeUpNextHop hop = new MadeUpNextHop()) {
                assertEquals(
                        List.of(GREETING, "354 Go on", "250 2.0.0 Ok: forgotten", "250 2.0.0 Ok"),
                        answers(hop, "DATA\r\n" + message + ".\r\nNOOP\r\n"),
                        message);
            }
        }
    }

    @Test
    void everyOtherConnectionOffersChunkingAndTakesChunks() throws IOException {
        try (MadeUpNextHop hop = new MadeUpNextHop()) {
            assertFalse(answers(hop, "EHLO a\r\n").contains("250-CHUNKING"));
            assertTrue(answers(hop, "EHLO a\r\n").contains("250-CHUNKING"));
            assertEquals(
                    List.of(GREETING, "250 2.0.0 Ok: forgotten", "250 2.0.0 Ok: forgotten", "250 2.0.0 Ok"),
                    answers(hop, "BDAT 8\r\nQUIT\r\n\r\nBDAT 3 LAST\r\n.\r\nNOOP\r\n"));
        }
    }

    @Test
    void aConnectionEndsAfterSomeMessages() throws IOException {
        try (MadeUpNextHop hop = new MadeUpNextHop()) {
            String most = "MAIL FROM:<a@b.invalid>\r\n".repeat(MadeUpNextHop.MOST_MESSAGES);
            assertEquals(1 + MadeUpNextHop.MOST_MESSAGES, answers(hop, most).size());
            assertEquals(
                    1 + MadeUpNextHop.MOST_MESSAGES,
                    answers(hop, most + "MAIL FROM:<>\r\nNOOP\r\n").size());
            assertEquals(
                    3 + MadeUpNextHop.MOST_MESSAGES,
                    answers(hop, most + "BDAT 0 LAST\r\nNOOP\r\n").size());
        }
    }

    @Test
    void mailToStrangersIsNotTaken() throws IOException {
        try (MadeUpNextHop hop = new MadeUpNextHop()) {
            assertEquals(
                    List.of(GREETING, "250 2.1.5 Ok", "550 5.7.1 Not here", "550 5.7.1 Not here"),
                    answers(
                            hop,
                            "RCPT TO:<a@dest.invalid>\r\nRCPT TO:<a@dest.example>\r\nRCPT TO:<a@dest.invalid.example>\r\n"));
        }
    }

    @Test
    void aLineEndsTheConnectionWhenItIsTooLong() throws IOException {
        String longest = "NOOP " + "x".repeat(MadeUpNextHop.MOST_LINE_BYTES - 7);
        try (MadeUpNextHop hop = new MadeUpNextHop()) {
            assertEquals(List.of(GREETING, "250 2.0.0 Ok"), answers(hop, longest + "\r\n"));
            assertEquals(List.of(GREETING), answers(hop, longest + "x\r\n"));
        }
    }

    @Test
    void connectionsBeyondTheMostWaitForOneToEnd() throws IOException {
        List<Socket> open = new ArrayList<>();
        try (MadeUpNextHop hop = new MadeUpNextHop()) {
            for (int i = 0; i < MadeUpNextHop.MOST_CONNECTIONS; i++) {
                open.add(connected(hop));
                assertEquals(GREETING, lines(open.getLast()).readLine());
            }
            try (Socket next = connected(hop)) {
                open.removeFirst().close();
                assertEquals(GREETING, lines(next).readLine());
            }
        } finally {
            for (Socket client : open) {
                client.close();
            }
        }
    }

    @Test
    void nobodyListensOnceItIsClosed() throws IOException {
        MadeUpNextHop hop = new MadeUpNextHop();
        hop.close();
        assertThrows(ConnectException.class, () -> connected(hop).close());
    }

    @Test
    void norWhileItWaitsForAConnectionToEnd() throws IOException {
        List<Socket> open = new ArrayList<>();
        MadeUpNextHop hop = new MadeUpNextHop();
        try (hop) {
            for (int i = 0; i < MadeUpNextHop.MOST_CONNECTIONS; i++) {
                open.add(connected(hop));
                assertEquals(GREETING, lines(open.getLast()).readLine());
            }
        }
        assertThrows(ConnectException.class, () -> connected(hop).close());
        for (Socket client : open) {
            client.close();
        }
    }
}
