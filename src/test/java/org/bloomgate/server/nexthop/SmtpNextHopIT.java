package org.bloomgate.server.nexthop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.bloomgate.core.smtp.Capabilities;
import org.bloomgate.core.smtp.ClientIdentity;
import org.bloomgate.core.smtp.EhloExtensions;
import org.bloomgate.core.smtp.Reply;
import org.bloomgate.server.smtp.BytesInMemory;
import org.bloomgate.server.smtp.ScriptedNextHop;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What needs more than one server, connection or thread; the rest is in `dialogues/nexthop`.
@Timeout(30)
class SmtpNextHopIT {
    private static final ClientIdentity CLIENT = new ClientIdentity("192.0.2.1", 4321, "", "client.example", "ESMTP");
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final String UNREACHABLE = "451 4.4.1 Next hop not reachable, try again later\r\n";

    private static final List<String> GREETED =
            List.of("> 220 mx.example", "< EHLO gate.example", "> 250-mx.example", "> 250 PIPELINING");
    private static final List<String> SENDER = List.of("< MAIL FROM:<a@from.example>", "> 250 sender ok");
    private static final List<String> RECIPIENT = List.of("< RCPT TO:<b@to.example>", "> 250 recipient ok");
    private static final List<String> MESSAGE = List.of("< DATA", "> 354 go", "< x", "< .", "> 250 queued");
    private static final List<String> CHUNKING =
            List.of("> 220 mx.example", "< EHLO gate.example", "> 250-mx.example", "> 250 CHUNKING");
    private static final List<String> IN_CHUNKS =
            List.of("< BDAT 6", "< X: y", "> 250 ok", "< BDAT 3 LAST", "< x", "> 250 queued");
    private static final List<String> BY_DATA = List.of("< DATA", "> 354 go", "< X: y", "< x", "< .", "> 250 queued");
    private static final byte[] TOP = {'X', ':', ' ', 'y', '\r', '\n'};
    private static final List<String> RESET = List.of("< RSET", "> 250 reset");
    private static final List<String> GOODBYE = List.of("< QUIT", "! gone");

    @Test
    void unreachableNextHop_failsAtMail() throws IOException {
        try (NextHop nextHop = NextHops.open("smtp://127.0.0.1:" + closedPort(), NextHopOptions.defaults());
                NextHopTransaction transaction = nextHop.begin(CLIENT)) {
            assertEquals(EhloExtensions.NOT_KNOWN, nextHop.capabilities());
            assertEquals(UNREACHABLE, transaction.mail("FROM:<>").toWire());
            assertEquals(UNREACHABLE, transaction.rcpt("TO:<b@to.example>").toWire());
        }
    }

    @Test
    void unresolvableName_isUnreachable() throws IOException {
        NextHopAddress.Servers nowhere = new NextHopAddress.Servers(
                NextHopDialect.SMTP, List.of(InetSocketAddress.createUnresolved("mx..invalid", 25)));
        try (NextHop nextHop = new SmtpNextHop(nowhere, options(PATIENCE, 1));
                NextHopTransaction transaction = nextHop.begin(CLIENT)) {
            assertEquals(UNREACHABLE, transaction.mail("FROM:<>").toWire());
        }
    }

    @Test
    void capabilities_areReadAtTheStart() throws Exception {
        try (ScriptedNextHop server = play(List.of(GREETED, SENDER, RESET, GOODBYE))) {
            String address = "smtp://127.0.0.1:" + server.port();
            try (NextHop nextHop = NextHops.open(address, options(PATIENCE, 1))) {
                while (nextHop.capabilities().equals(EhloExtensions.NOT_KNOWN)) {
                    Thread.onSpinWait();
                }
                assertEquals(new Capabilities(Set.of("PIPELINING"), 0), nextHop.capabilities());
                try (NextHopTransaction transaction = nextHop.begin(CLIENT)) {
                    assertEquals(
                            "250 sender ok\r\n",
                            transaction.mail("FROM:<a@from.example>").toWire());
                }
            }
            server.assertPlayed();
        }
    }

    @Test
    void unreachableAddress_isReplacedByTheNext() throws Exception {
        try (ScriptedNextHop server = play(List.of(GREETED, SENDER, RECIPIENT, MESSAGE, GOODBYE))) {
            try (NextHop nextHop = nextHop(PATIENCE, 1, closedPort(), server.port())) {
                assertEquals("250 queued\r\n", send(nextHop));
            }
            server.assertPlayed();
        }
    }

    @Test
    void failedAddress_isTriedLast() throws Exception {
        List<String> busy = List.of("> 421 busy", "! gone");
        List<String> again = List.of("< RSET", "> 500 what", "! gone", "! accept");
        try (ScriptedNextHop first = play(List.of(busy));
                ScriptedNextHop second = play(List.of(GREETED, SENDER, again, GREETED, SENDER, RECIPIENT, MESSAGE))) {
            try (NextHop nextHop = nextHop(PATIENCE, 1, first.port(), second.port())) {
                try (NextHopTransaction transaction = nextHop.begin(CLIENT)) {
                    assertTrue(transaction.mail("FROM:<a@from.example>").positive());
                }
                first.assertPlayed();
                assertEquals("250 queued\r\n", send(nextHop));
            }
            second.assertPlayed();
        }
    }

    @Test
    void idleConnection_isClosed() throws Exception {
        try (ScriptedNextHop server = play(List.of(GREETED, SENDER, RECIPIENT, MESSAGE, GOODBYE));
                NextHop nextHop = new SmtpNextHop(servers(server.port()), options(PATIENCE, SHORT, PATIENCE, 1))) {
            assertEquals("250 queued\r\n", send(nextHop));
            server.assertPlayed();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {SmtpConnection.MAX_RESETS - 1, SmtpConnection.MAX_RESETS})
    void connectionResetTooOften_isRenewed(int resets) throws Exception {
        List<String> aborted = Stream.of(SENDER, RESET).flatMap(List::stream).toList();
        List<List<String>> parts = new ArrayList<>(Collections.nCopies(resets, aborted));
        parts.addFirst(GREETED);
        if (resets == SmtpConnection.MAX_RESETS) {
            parts.addAll(List.of(GOODBYE, List.of("! accept"), GREETED));
        }
        parts.addAll(List.of(SENDER, RECIPIENT, MESSAGE, GOODBYE));
        try (ScriptedNextHop server = play(parts)) {
            try (NextHop nextHop = nextHop(PATIENCE, 1, server.port())) {
                for (int i = 0; i < resets; i++) {
                    abort(nextHop);
                }
                assertEquals("250 queued\r\n", send(nextHop));
            }
            server.assertPlayed();
        }
    }

    @Test
    void lentConnectionResetTooOften_isRenewed() throws Exception {
        List<List<String>> parts = new ArrayList<>(List.of(GREETED));
        for (int i = 1; i < SmtpConnection.MAX_RESETS; i++) {
            parts.addAll(List.of(SENDER, RESET));
        }
        parts.addAll(List.of(SENDER, RESET, GOODBYE, List.of("! accept"), GREETED));
        parts.addAll(List.of(SENDER, RECIPIENT, MESSAGE, GOODBYE));
        try (ScriptedNextHop server = play(parts)) {
            try (NextHop nextHop = nextHop(PATIENCE, 1, server.port())) {
                for (int i = 1; i < SmtpConnection.MAX_RESETS; i++) {
                    abort(nextHop);
                }
                try (NextHopTransaction slow = nextHop.begin(CLIENT)) {
                    assertTrue(slow.mail("FROM:<a@from.example>").positive());
                    assertEquals("250 queued\r\n", send(nextHop));
                }
            }
            server.assertPlayed();
        }
    }

    private static void abort(NextHop nextHop) {
        try (NextHopTransaction transaction = nextHop.begin(CLIENT)) {
            assertTrue(transaction.mail("FROM:<a@from.example>").positive());
        }
    }

    @Test
    void waitingTransaction_yieldsItsConnection() throws Exception {
        List<String> slowOne =
                List.of("< MAIL FROM:<slow@from.example>", "> 250 ok", "< RCPT TO:<c@to.example>", "> 250 ok");
        try (ScriptedNextHop server =
                play(List.of(GREETED, slowOne, RESET, SENDER, RECIPIENT, MESSAGE, slowOne, MESSAGE, GOODBYE))) {
            try (NextHop nextHop = nextHop(PATIENCE, 1, server.port());
                    NextHopTransaction slow = nextHop.begin(CLIENT)) {
                slow.mail("FROM:<slow@from.example>");
                slow.rcpt("TO:<c@to.example>");
                assertEquals("250 queued\r\n", send(nextHop));
                assertEquals(
                        "250 queued\r\n",
                        slow.data(new byte[0], new BytesInMemory("x\r\n")).toWire());
            }
            server.assertPlayed();
        }
    }

    @Test
    void envelopeRejectedOnReplay_isDeferred() throws Exception {
        try (ScriptedNextHop server = play(List.of(
                GREETED,
                SENDER,
                RECIPIENT,
                RESET,
                SENDER,
                RECIPIENT,
                MESSAGE,
                SENDER,
                List.of("< RCPT TO:<b@to.example>", "> 550 gone", "! gone")))) {
            try (NextHop nextHop = nextHop(PATIENCE, 1, server.port());
                    NextHopTransaction slow = nextHop.begin(CLIENT)) {
                slow.mail("FROM:<a@from.example>");
                slow.rcpt("TO:<b@to.example>");
                assertEquals("250 queued\r\n", send(nextHop));
                assertEquals(
                        4, slow.data(new byte[0], new BytesInMemory("x\r\n")).code() / 100);
            }
        }
    }

    @Test
    void endedTransaction_leavesItsYieldedConnection() throws Exception {
        try (ScriptedNextHop server =
                play(List.of(GREETED, SENDER, RESET, SENDER, RECIPIENT, MESSAGE, SENDER, RESET, GOODBYE))) {
            try (NextHop nextHop = nextHop(PATIENCE, 1, server.port())) {
                NextHopTransaction slow = nextHop.begin(CLIENT);
                slow.mail("FROM:<a@from.example>");
                assertEquals("250 queued\r\n", send(nextHop));
                slow.close();
                try (NextHopTransaction next = nextHop.begin(CLIENT)) {
                    assertTrue(next.mail("FROM:<a@from.example>").positive());
                }
            }
            server.assertPlayed();
        }
    }

    @Test
    void exhaustedPool_makesTheMessageWait() throws Exception {
        try (ScriptedNextHop server = play(List.of(GREETED, SENDER, RESET, SENDER, RECIPIENT, MESSAGE, GOODBYE))) {
            try (NextHop nextHop = nextHop(PATIENCE, 1, server.port())) {
                NextHopTransaction holding = nextHop.begin(CLIENT);
                holding.mail("FROM:<a@from.example>");
                CompletableFuture<String> waiting = new CompletableFuture<>();
                Thread.startVirtualThread(() -> waiting.complete(send(nextHop)));
                holding.close();
                assertEquals("250 queued\r\n", waiting.get(20, TimeUnit.SECONDS));
            }
            server.assertPlayed();
        }
    }

    @Test
    void poolExhaustedTooLong_isUnreachable() throws Exception {
        try (ScriptedNextHop server = play(List.of(GREETED, SENDER, RESET))) {
            NextHopOptions options = options(SHORT, PATIENCE, PATIENCE, 1);
            try (NextHop nextHop = new SmtpNextHop(servers(server.port()), options);
                    NextHopTransaction holding = nextHop.begin(CLIENT);
                    NextHopTransaction waiting = nextHop.begin(CLIENT)) {
                holding.mail("FROM:<a@from.example>");
                assertEquals(UNREACHABLE, waiting.mail("FROM:<a@from.example>").toWire());
            }
            server.assertPlayed();
        }
    }

    @Test
    void nextHopThatStopsReading_isLost() throws Exception {
        List<String> stalled = List.of("< DATA", "> 354 go", "! stall");
        try (ScriptedNextHop server = play(List.of(GREETED, SENDER, RECIPIENT, stalled));
                NextHop nextHop = new SmtpNextHop(servers(server.port()), options(PATIENCE, PATIENCE, SHORT, 1));
                NextHopTransaction transaction = nextHop.begin(CLIENT)) {
            transaction.mail("FROM:<a@from.example>");
            transaction.rcpt("TO:<b@to.example>");
            Reply reply = transaction.data(new byte[0], new EndlessBytes());
            assertEquals("451 4.4.2 Connection to the next hop lost, try again later\r\n", reply.toWire());
        }
    }

    @Test
    void connectionResetBeforeAChunk_envelopeIsSentAgain() throws Exception {
        ScriptedNextHop first =
                play(List.of(CHUNKING, SENDER, RECIPIENT, IN_CHUNKS, SENDER, RECIPIENT, List.of("! reset")));
        try (ScriptedNextHop second = play(List.of(CHUNKING, SENDER, RECIPIENT, BY_DATA, GOODBYE))) {
            try (NextHop nextHop = nextHop(PATIENCE, 1, first.port(), second.port())) {
                assertEquals("250 queued\r\n", send(nextHop, TOP, new BytesInMemory("x\r\n")));
                assertEquals("250 queued\r\n", send(nextHop, TOP, new OpenedAfterTheEndOf(first)));
            }
            second.assertPlayed();
        }
    }

    @Test
    void shortenedMessage_endsTheConnection() throws Exception {
        List<String> fieldsAlone = List.of("< BDAT 6", "< X: y", "> 250 ok", "! gone");
        try (ScriptedNextHop server = play(List.of(CHUNKING, SENDER, RECIPIENT, fieldsAlone));
                NextHop nextHop = nextHop(PATIENCE, 1, server.port())) {
            assertEquals(
                    "451 4.3.0 Message cannot be passed on, try again later\r\n",
                    send(nextHop, TOP, new BytesLeft("x\r\n", 4)));
            server.assertPlayed();
        }
    }

    @Test
    void close_closesConnectionsInUse() throws Exception {
        try (ScriptedNextHop server = play(List.of(GREETED, SENDER, List.of("! gone")))) {
            NextHop nextHop = nextHop(PATIENCE, 1, server.port());
            NextHopTransaction transaction = nextHop.begin(CLIENT);
            transaction.mail("FROM:<a@from.example>");
            nextHop.close();
            server.assertPlayed();
            assertEquals(
                    "451 4.4.2 Connection to the next hop lost, try again later\r\n",
                    transaction.rcpt("TO:<b@to.example>").toWire());
            transaction.close();
            assertEquals(UNREACHABLE, nextHop.begin(CLIENT).mail("FROM:<>").toWire());
        }
    }

    private static String send(NextHop nextHop) {
        return send(nextHop, new byte[0], new BytesInMemory("x\r\n"));
    }

    private static String send(NextHop nextHop, byte[] top, MessageBytes message) {
        try (NextHopTransaction transaction = nextHop.begin(CLIENT)) {
            transaction.mail("FROM:<a@from.example>");
            transaction.rcpt("TO:<b@to.example>");
            return transaction.data(top, message).toWire();
        }
    }

    private static ScriptedNextHop play(List<List<String>> parts) throws IOException {
        return new ScriptedNextHop(parts.stream().flatMap(List::stream).toList());
    }

    private static NextHop nextHop(Duration connect, int poolSize, int... ports) throws IOException {
        return new SmtpNextHop(servers(ports), options(connect, poolSize));
    }

    private static NextHopAddress.Servers servers(int... ports) {
        return new NextHopAddress.Servers(
                NextHopDialect.SMTP,
                Arrays.stream(ports)
                        .mapToObj(port -> InetSocketAddress.createUnresolved("127.0.0.1", port))
                        .toList());
    }

    private static NextHopOptions options(Duration connect, int poolSize) {
        return options(connect, PATIENCE, PATIENCE, poolSize);
    }

    private static NextHopOptions options(Duration connect, Duration idle, Duration block, int poolSize) {
        return new NextHopOptions(
                "gate.example",
                connect,
                idle,
                poolSize,
                NextHopTls.NONE,
                Optional.empty(),
                true,
                true,
                new NextHopOptions.Timeouts(PATIENCE, PATIENCE, PATIENCE, block, PATIENCE));
    }

    private static int closedPort() throws IOException {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return listener.getLocalPort();
        }
    }

    /// More than any socket buffer takes.
    private static final class EndlessBytes implements MessageBytes {
        @Override
        public long sizeBytes() {
            return Long.MAX_VALUE;
        }

        @Override
        public InputStream open() {
            return new InputStream() {
                @Override
                public int read() {
                    return 'x';
                }

                @Override
                public int read(byte[] into, int offset, int length) {
                    Arrays.fill(into, offset, offset + length, (byte) 'x');
                    return length;
                }
            };
        }
    }

    /// Opened when a server has said its last word, whose address answers nobody any more.
    private record OpenedAfterTheEndOf(ScriptedNextHop server) implements MessageBytes {
        @Override
        public long sizeBytes() {
            return 3;
        }

        @Override
        public boolean endsWithCrlf() {
            return true;
        }

        @Override
        public InputStream open() throws IOException {
            try (server) {
                server.assertPlayed();
            } catch (InterruptedException | TimeoutException e) {
                throw new IOException(e);
            }
            return new BytesInMemory("x\r\n").open();
        }
    }

    /// A message of which not all bytes are left.
    private record BytesLeft(String bytes, long sizeBytes) implements MessageBytes {
        @Override
        public InputStream open() {
            return new BytesInMemory(bytes).open();
        }

        @Override
        public boolean endsWithCrlf() {
            return true;
        }
    }
}
