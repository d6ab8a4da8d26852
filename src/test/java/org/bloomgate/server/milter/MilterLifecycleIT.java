package org.bloomgate.server.milter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.decision.journal.Decision;
import org.bloomgate.lookup.tier.LayerSource;
import org.bloomgate.server.smtp.ListedDomains;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class MilterLifecycleIT {
    private static final List<String> TO = List.of("b@to.example");

    /// To the commands of a whole mail that is tagged.
    private static final int ANSWERS = 6;

    private static final String CLEAN = "Subject: x\r\n\r\nhello\r\n";

    @TempDir
    private Path folder;

    private MilterAddress inFolder() {
        return new MilterAddress.Unix(folder.resolve("milter.sock"));
    }

    private MilterWorld world(MilterAddress listen) throws IOException, ConfigException {
        return new MilterWorld(folder, "", listen, Optional.empty());
    }

    @Test
    void socketFile_isForUserAndGroupUntilClosed() throws Exception {
        Path file = folder.resolve("milter.sock");
        try (MilterWorld world = world(inFolder());
                MilterClient client = world.connect()) {
            client.greet("192.0.2.7", "client.example");
            assertEquals("c", client.mail("a@from.example", TO, CLEAN).last());
            assertEquals("rw-rw----", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        }
        assertFalse(Files.exists(file));
    }

    @Test
    void socketInUse_isNotTouched() throws Exception {
        try (MilterWorld first = world(inFolder());
                MilterClient client = first.connect()) {
            assertThrows(IOException.class, () -> world(inFolder()).close());
            client.greet("192.0.2.7", "client.example");
            assertEquals("c", client.mail("a@from.example", TO, CLEAN).last());
        }
    }

    @Test
    void staleSocket_isReplacedAndARegularFileIsNot() throws Exception {
        Path file = folder.resolve("milter.sock");
        try (ServerSocketChannel left = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            left.bind(UnixDomainSocketAddress.of(file));
        }
        assertTrue(Files.exists(file));
        world(inFolder()).close();
        Files.writeString(file, "mine");
        assertThrows(IOException.class, () -> world(inFolder()).close());
        assertEquals("mine", Files.readString(file));
    }

    @Test
    void closingMilter_finishesMessagesInProgress() throws Exception {
        try (MilterWorld world = world(MilterAddress.of("127.0.0.1:0"));
                MilterClient busy = world.connect();
                MilterClient other = world.connect()) {
            busy.greet("192.0.2.7", "client.example");
            other.greet("192.0.2.7", "client.example");
            busy.send('M', "<a@from.example>\0");
            assertEquals("c", busy.read());
            Thread closing = Thread.ofVirtual().start(world::close);
            String answer = mailUntilSentAway(other);
            assertEquals("t", answer);
            busy.send('R', "<b@to.example>\0");
            assertEquals("c", busy.read());
            busy.send('E', "");
            assertEquals("c", busy.read());
            closing.join();
            assertThrows(EOFException.class, busy::read);
            assertThrows(IOException.class, world::connect);
            assertEquals(0, world.listed.openLeases());
        }
    }

    @Test
    void clientRejectedAtConnect_getsItsReplyThere() throws Exception {
        try (MilterWorld world = MilterWorld.refusing(folder, "sample")) {
            assertEquals("y554 5.7.1 Refused by policy\0", atConnect(world, "smtpd", "198.51.100.9"));
            assertEquals("c", atConnect(world, "smtpd", "203.0.113.9"));
            assertEquals("c", atConnect(world, "ORIGINATING", "198.51.100.9"));
        }
        try (MilterWorld world = MilterWorld.refusing(folder, "other")) {
            assertEquals("c", atConnect(world, "smtpd", "198.51.100.9"));
            assertEquals(0, world.listed.openLeases());
        }
    }

    private static String atConnect(MilterWorld world, String daemon, String address) throws IOException {
        try (MilterClient client = world.connect()) {
            client.negotiate();
            client.send('D', "C{daemon_name}\0" + daemon + "\0");
            client.send('C', "client.example\0" + "4" + "\u00c0\0" + address + "\0");
            return client.read();
        }
    }

    /// The answer to MAIL, when it is no longer taken.
    private static String mailUntilSentAway(MilterClient client) throws IOException {
        String answer = "c";
        while (answer.equals("c")) {
            client.send('M', "<a@from.example>\0");
            answer = client.read();
            client.send('A', "");
        }
        return answer;
    }

    /// Both timers are five seconds, so one wait is enough.
    @Test
    void afterFiveSeconds_silentClientIsClosedAndProgressReported() throws Exception {
        CountDownLatch evaluationMayGoOn = new CountDownLatch(1);
        ListedDomains listed = ListedDomains.inForce();
        LayerSource slow = () -> {
            await(evaluationMayGoOn);
            return listed.lease();
        };
        try (MilterWorld world = new MilterWorld(folder, "", MilterAddress.of("127.0.0.1:0"), Optional.of(slow));
                MilterClient silent = world.connect();
                MilterClient client = world.connect()) {
            silent.sendBytes("\0\0\0");
            client.greet("192.0.2.7", "client.example");
            client.send('M', "<a@from.example>\0");
            assertEquals("p", client.readAny());
            evaluationMayGoOn.countDown();
            assertEquals("c", client.read());
            assertThrows(EOFException.class, silent::read);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Seeded: a message is broken off by an abort, a lost connection or what is no frame, after any of its
    /// commands.
    @Test
    void abortedTransaction_releasesEverything() throws Exception {
        SplittableRandom random = new SplittableRandom(20260104);
        List<String> commands = List.of(
                "M<a@listed.example>\0",
                "R<postmaster@to.example>\0",
                "LSubject\0 x\0",
                "B" + "http://listed.example/\r\n".repeat(4_000),
                "E");
        try (MilterWorld world = world(MilterAddress.of("127.0.0.1:0"))) {
            for (int i = 0; i < 200; i++) {
                try (MilterClient client = world.connect()) {
                    client.greet("192.0.2.7", "client.example");
                    int said = random.nextInt(commands.size() + 1);
                    for (String command : commands.subList(0, said)) {
                        client.send(command.charAt(0), command.substring(1));
                    }
                    for (int answers = 0; said == commands.size() && answers < ANSWERS; answers++) {
                        client.read();
                    }
                    if (random.nextInt(3) == 0) {
                        client.send('A', "");
                        client.send('A', "");
                    } else if (random.nextInt(2) == 0) {
                        client.sendBytes("GET / HTTP/1.1\r\n\r\n");
                    }
                }
            }
            awaitTrue(() ->
                    world.metrics.get("bloomgate.milter.connections").gauge().value() == 0);
            assertEquals(0, world.listed.openLeases());
            assertTrue(world.memory.take(MilterWorld.MEMORY), "all memory was given back");
            assertTrue(world.counted("protocol.errors") > 0);
            assertTrue(world.counted("undecided") > 0);
            assertTrue(world.counted("messages", "action", "tag") > 0);
            try (var files = Files.list(world.temporary())) {
                assertEquals(List.of(), files.toList());
            }
        }
    }

    private static void awaitTrue(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void changedPolicy_appliesFromTheNextMessage() throws Exception {
        try (MilterWorld world = world(MilterAddress.of("127.0.0.1:0"));
                MilterClient client = world.connect()) {
            client.greet("192.0.2.7", "client.example");
            String listed = "Subject: x\r\n\r\nhttp://listed.example/\r\n";
            assertEquals(
                    "y550", client.mail("a@from.example", TO, listed).last().substring(0, 4));
            world.reload("policy: { listed: { text: pass } }");
            assertEquals("c", client.mail("a@from.example", TO, listed).last());
        }
    }

    /// A mail server's own queue gets no refusal, as the recipient would stay there.
    @ParameterizedTest
    @CsvSource({"192.0.2.7, 49152, 1000", "127.0.0.1, 0, 100000"})
    void recipientsBeyondAThousand_areNotStored(String address, int port, int taken) throws Exception {
        int queried = 100_000;
        String recipient = "R<b@to.example>\0";
        try (MilterWorld world = world(MilterAddress.of("127.0.0.1:0"));
                MilterClient client = world.connect()) {
            client.negotiate();
            client.send('C', "client.example\0" + "4" + MilterClient.word(port).substring(2) + address + "\0");
            assertEquals("c", client.read());
            client.send('M', "<a@from.example>\0");
            assertEquals("c", client.read());
            Thread sending = Thread.ofVirtual().start(() -> sendAll(client, recipient, queried));
            int accepted = 0;
            for (int i = 0; i < queried; i++) {
                String answer = client.read();
                accepted += answer.equals("c") ? 1 : 0;
                assertTrue(answer.equals("c") || answer.startsWith("y452 4.5.3 "), answer);
            }
            sending.join();
            assertEquals(taken, accepted);
            client.send('E', "x\r\n");
            assertEquals("c", client.read());
            client.quit();
            Decision decision = world.decisions.getFirst();
            assertEquals(1_000, decision.envelope().recipients().size());
            assertTrue(decision.envelope().refused().size() <= 50, "the journal has a few of those refused");
        }
    }

    private static void sendAll(MilterClient client, String frame, int times) {
        try {
            client.sendBytes((MilterClient.word(frame.length()) + frame).repeat(times));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void connectionBeyondTheBound_isClosed() throws Exception {
        try (MilterWorld world = new MilterWorld(
                        folder, "smtp: { maxSessions: 1 }", MilterAddress.of("127.0.0.1:0"), Optional.empty());
                MilterClient first = world.connect();
                MilterClient second = world.connect()) {
            first.greet("192.0.2.7", "client.example");
            assertThrows(IOException.class, () -> second.greet("192.0.2.7", "client.example"));
            assertEquals(1.0, world.counted("refused"));
        }
    }
}
