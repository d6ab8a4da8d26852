package org.bloomgate.server.dns;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.bloomgate.base.net.ListenAddress;
import org.bloomgate.base.net.Network;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Type;

/// The listener on real sockets, port 0.
@Timeout(60)
class DnsListenerIT {
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
    private static final DnsName ZONE = DnsName.of(Asking.ZONE);
    private static final int PATIENCE_MILLIS = 20_000;
    private static final int SILENCE_MILLIS = 300;

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private Optional<DnsListener> open = Optional.empty();

    @AfterEach
    void close() {
        open.ifPresent(DnsListener::close);
    }

    private DnsListener open(ListedHosts hosts, DnsListenerOptions options) throws IOException {
        DnsListener door = new DnsListener(
                ListenAddress.of("127.0.0.1:0"),
                options,
                "mail.example",
                hosts,
                Asking.evaluator(),
                registry,
                InstantSource.fixed(ListedHosts.CREATED.plusSeconds(60)));
        open = Optional.of(door);
        return door;
    }

    private static DnsListenerOptions options(String client, int answersPerSecond) {
        return new DnsListenerOptions(
                Optional.empty(), List.of(Network.of(client)), Map.of(ZONE, ZoneOptions.defaults()), answersPerSecond);
    }

    private static ListedHosts hosts() {
        return new ListedHosts().lists("bad.example").inForce();
    }

    private static byte[] question(String host) {
        return Asking.question(host + "." + Asking.ZONE, Type.A).toWire();
    }

    private static DatagramSocket udp(DnsListener door) throws IOException {
        DatagramSocket socket = new DatagramSocket(0, LOOPBACK);
        socket.connect(new InetSocketAddress(LOOPBACK, door.address().port()));
        socket.setSoTimeout(PATIENCE_MILLIS);
        return socket;
    }

    private static void send(DatagramSocket socket, byte[] bytes) throws IOException {
        socket.send(new DatagramPacket(bytes, bytes.length));
    }

    private static Message receive(DatagramSocket socket) throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[4_096], 4_096);
        socket.receive(packet);
        return Asking.read(Arrays.copyOf(packet.getData(), packet.getLength()));
    }

    private static Socket tcp(DnsListener door) throws IOException {
        return tcp(door, LOOPBACK);
    }

    private static Socket tcp(DnsListener door, InetAddress client) throws IOException {
        Socket socket = new Socket(LOOPBACK, door.address().port(), client, 0);
        socket.setSoTimeout(PATIENCE_MILLIS);
        return socket;
    }

    private static byte[] framed(byte[] bytes) {
        return ByteBuffer.allocate(2 + bytes.length)
                .putShort((short) bytes.length)
                .put(bytes)
                .array();
    }

    private static Message receive(DataInputStream in) throws IOException {
        return Asking.read(in.readNBytes(in.readUnsignedShort()));
    }

    private static String queried(DnsListener door, String host) {
        try (DatagramSocket socket = udp(door)) {
            send(socket, question(host));
            return Asking.summary(receive(socket));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void udpAndTcp_answerOnOnePort() throws IOException {
        DnsListener door = open(hosts(), options("127.0.0.0/8", 0));
        assertEquals("NOERROR 127.0.0.2", queried(door, "www.bad.example"));
        try (Socket socket = tcp(door)) {
            socket.getOutputStream().write(framed(question("www.bad.example")));
            assertEquals("NOERROR 127.0.0.2", Asking.summary(receive(new DataInputStream(socket.getInputStream()))));
        }
        assertEquals(1, count("bloomgate.dns.queries", "transport", "tcp", "rcode", "noerror"));
        assertEquals(1, count("bloomgate.dns.queries", "transport", "udp", "rcode", "noerror"));
        assertEquals(2, count("bloomgate.dns.listed"));
    }

    private double count(String name, String... tags) {
        return registry.get(name).tags(tags).counter().count();
    }

    @Test
    void connection_answersManyQueriesInAnyPieces() throws IOException {
        DnsListener door = open(hosts(), options("127.0.0.0/8", 0));
        try (Socket socket = tcp(door)) {
            byte[] one = framed(question("bad.example"));
            byte[] all = new byte[one.length * 50];
            for (int i = 0; i < 50; i++) {
                System.arraycopy(one, 0, all, i * one.length, one.length);
            }
            socket.getOutputStream().write(all, 0, 7);
            socket.getOutputStream().flush();
            socket.getOutputStream().write(all, 7, all.length - 7);
            DataInputStream in = new DataInputStream(socket.getInputStream());
            for (int i = 0; i < 50; i++) {
                assertEquals("NOERROR 127.0.0.2", Asking.summary(receive(in)));
            }
        }
    }

    @Test
    void invalidFrame_endsTheConnection() throws IOException {
        DnsListener door = open(hosts(), options("127.0.0.0/8", 0));
        for (byte[] bytes : List.of(framed(new byte[Question.MAX_BYTES + 1]), framed(new byte[5]))) {
            try (Socket socket = tcp(door)) {
                socket.getOutputStream().write(bytes, 0, Math.min(bytes.length, 7));
                assertEquals(-1, socket.getInputStream().read());
            }
        }
        try (Socket socket = tcp(door)) {
            byte[] largest = Arrays.copyOf(question("bad.example"), Question.MAX_BYTES);
            socket.getOutputStream().write(framed(largest));
            assertEquals("FORMERR", Asking.summary(receive(new DataInputStream(socket.getInputStream()))));
        }
    }

    /// Half a length, a length of nothing, a length without its bytes: no answer, and the end.
    @Test
    void truncatedFrame_endsItsConnectionOnly() throws IOException {
        DnsListener door = open(hosts(), options("127.0.0.0/8", 0));
        byte[] whole = framed(question("bad.example"));
        List<byte[]> cut = List.of(
                new byte[0],
                new byte[1],
                new byte[2],
                new byte[] {0, 1, 0x12},
                new byte[] {0, 11, 0x12},
                Arrays.copyOf(whole, whole.length - 1));
        for (byte[] bytes : cut) {
            try (Socket socket = tcp(door)) {
                socket.getOutputStream().write(bytes);
                socket.shutdownOutput();
                assertEquals(-1, socket.getInputStream().read());
            }
        }
        assertEquals("NOERROR 127.0.0.2", queried(door, "bad.example"));
        assertEquals(0, count("bloomgate.dns.faults"));
    }

    @Test
    void halfClosedClient_getsItsAnswers() throws IOException {
        DnsListener door = open(hosts(), options("127.0.0.0/8", 0));
        try (Socket socket = tcp(door)) {
            for (int i = 0; i < 3; i++) {
                socket.getOutputStream().write(framed(question("bad.example")));
            }
            socket.shutdownOutput();
            DataInputStream in = new DataInputStream(socket.getInputStream());
            for (int i = 0; i < 3; i++) {
                assertEquals("NOERROR 127.0.0.2", Asking.summary(receive(in)));
            }
            assertEquals(-1, in.read());
        }
    }

    /// The bytes of a question one by one, another client's whole between any two of them.
    @Test
    void slowClient_delaysNoOther() throws IOException {
        DnsListener door = open(hosts(), options("127.0.0.0/8", 0));
        byte[] one = framed(question("bad.example"));
        try (Socket slow = tcp(door);
                Socket other = tcp(door)) {
            slow.setTcpNoDelay(true);
            DataInputStream answers = new DataInputStream(other.getInputStream());
            for (byte b : one) {
                slow.getOutputStream().write(b);
                other.getOutputStream().write(one);
                assertEquals("NOERROR 127.0.0.2", Asking.summary(receive(answers)));
            }
            assertEquals("NOERROR 127.0.0.2", Asking.summary(receive(new DataInputStream(slow.getInputStream()))));
        }
    }

    @Test
    void connectionsOfOneClient_areBounded() throws IOException {
        DnsListener door = open(hosts(), options("127.0.0.0/8", 0));
        List<Socket> held = new ArrayList<>();
        try {
            for (int i = 0; i < TcpListener.MAX_CONNECTIONS_PER_NETWORK; i++) {
                Socket socket = tcp(door);
                held.add(socket);
                socket.getOutputStream().write(framed(question("bad.example")));
                receive(new DataInputStream(socket.getInputStream()));
            }
            try (Socket beyond = tcp(door)) {
                assertEquals(-1, held.getFirst().getInputStream().read());
                assertEquals("NOERROR 127.0.0.2", answered(beyond));
            }
            assertEquals(1, count("bloomgate.dns.limited", "limit", "connections"));
            assertEquals("NOERROR 127.0.0.2", queried(door, "bad.example"));
        } finally {
            for (Socket socket : held) {
                socket.close();
            }
        }
    }

    @Test
    void clientOutsideNetworks_getsOneRefused() throws IOException {
        DnsListener door = open(hosts(), options("192.0.2.0/24", 0));
        assertEquals("REFUSED", queried(door, "bad.example"));
        try (Socket socket = tcp(door)) {
            socket.getOutputStream().write(framed(question("bad.example")));
            DataInputStream in = new DataInputStream(socket.getInputStream());
            assertEquals("REFUSED", Asking.summary(receive(in)));
            assertEquals(-1, in.read());
        }
    }

    @Test
    void clientsOutsideNetworks_leaveRoomForOthers() throws IOException {
        DnsListener door = open(hosts(), options("192.0.2.0/24", 0));
        List<Socket> held = new ArrayList<>();
        try {
            for (int i = 0; i < TcpListener.MAX_CONNECTIONS_OF_STRANGERS; i++) {
                held.add(tcp(door));
            }
            try (Socket beyond = tcp(door)) {
                assertEquals(-1, held.getFirst().getInputStream().read());
                assertEquals("REFUSED", answered(beyond));
            }
            door.use(options("127.0.0.0/8", 0), Asking.evaluator());
            try (Socket permitted = tcp(door)) {
                assertEquals("NOERROR 127.0.0.2", answered(permitted));
            }
        } finally {
            for (Socket socket : held) {
                socket.close();
            }
        }
    }

    private static String answered(Socket socket) throws IOException {
        socket.getOutputStream().write(framed(question("bad.example")));
        return Asking.summary(receive(new DataInputStream(socket.getInputStream())));
    }

    /// Networks x addresses of each x what a connection sends before it is silent.
    @ParameterizedTest
    @CsvSource({"1, 9, ''", "9, 1, ''", "3, 3, 0", "12, 8, 0041"})
    void silentNetworks_leaveRoomForAQuestion(int networks, int addresses, String hex) throws IOException {
        DnsListener door = open(hosts(), options("127.0.0.0/8", 0));
        List<Socket> held = new ArrayList<>();
        try {
            for (int i = 0; i < 2 * TcpListener.MAX_CONNECTIONS; i++) {
                byte[] client = {127, 1, (byte) (i % networks), (byte) (1 + i / networks % addresses)};
                Socket socket = tcp(door, InetAddress.getByAddress(client));
                socket.getOutputStream().write(hex.getBytes(StandardCharsets.US_ASCII));
                held.add(socket);
            }
            try (Socket other = tcp(door, InetAddress.ofLiteral("127.77.0.1"))) {
                assertEquals("NOERROR 127.0.0.2", answered(other));
            }
        } finally {
            for (Socket socket : held) {
                socket.close();
            }
        }
    }

    @Test
    void waitingSuspect_delaysNoOther() throws IOException {
        CountDownLatch latch = new CountDownLatch(1);
        ListedHosts hosts =
                new ListedHosts().lists("bad.example").waitsFor(latch).inForce();
        DnsListener door = open(hosts, options("127.0.0.0/8", 0));
        try (DatagramSocket waiting = udp(door)) {
            for (int i = 0; i < 20; i++) {
                send(waiting, question("bad.example"));
            }
            for (int i = 0; i < 20; i++) {
                assertTrue(queried(door, "good.example").startsWith("N"));
            }
            latch.countDown();
            for (int i = 0; i < 20; i++) {
                assertEquals("NOERROR 127.0.0.2", Asking.summary(receive(waiting)));
            }
        }
        assertEquals(20, count("bloomgate.dns.suspects"));
    }

    @Test
    void suspectsBeyondTheBound_getServfail() throws IOException {
        CountDownLatch latch = new CountDownLatch(1);
        ListedHosts hosts =
                new ListedHosts().lists("bad.example").waitsFor(latch).inForce();
        DnsListener door = open(hosts, options("127.0.0.0/8", 0));
        try (DatagramSocket waiting = udp(door)) {
            String first = "";
            int sent = 0;
            waiting.setSoTimeout(1);
            while (first.isEmpty() && sent < 100 * SuspectThreads.MAX_SUSPECTS) {
                send(waiting, question("bad.example"));
                sent++;
                try {
                    first = sent < SuspectThreads.MAX_SUSPECTS ? "" : Asking.summary(receive(waiting));
                } catch (SocketTimeoutException notYet) {
                    first = "";
                }
            }
            assertEquals("SERVFAIL", first);
            assertTrue(sent > SuspectThreads.MAX_SUSPECTS);
        } finally {
            latch.countDown();
        }
        assertTrue(count("bloomgate.dns.limited", "limit", "suspects") > 0);
    }

    @Test
    void queriesBeyondTheRate_areTruncatedOrDropped() throws IOException {
        DnsListener door = open(hosts(), options("127.0.0.0/8", 1));
        int whole = 0;
        int cut = 0;
        try (DatagramSocket socket = udp(door)) {
            for (int i = 0; i < 60; i++) {
                send(socket, question("bad.example"));
            }
            socket.setSoTimeout(SILENCE_MILLIS);
            while (true) {
                boolean truncated = receive(socket).getHeader().getFlag(Flags.TC);
                cut += truncated ? 1 : 0;
                whole += truncated ? 0 : 1;
            }
        } catch (SocketTimeoutException end) {
            assertTrue(whole >= 1 && whole < 20, whole + " answered");
            assertTrue(cut > 0 && cut + whole < 60, cut + " cut");
        }
        assertTrue(count("bloomgate.dns.limited", "limit", "rate") > 0);
        try (Socket socket = tcp(door)) {
            for (int i = 0; i < 10; i++) {
                socket.getOutputStream().write(framed(question("bad.example")));
            }
            DataInputStream in = new DataInputStream(socket.getInputStream());
            for (int i = 0; i < 10; i++) {
                assertEquals("NOERROR 127.0.0.2", Asking.summary(receive(in)));
            }
        }
    }

    @Test
    void changedZonesAndClients_applyWithoutRestart() throws IOException {
        DnsListener door = open(hosts(), options("127.0.0.0/8", 0));
        ZoneOptions other = Asking.zone(List.of(), Map.of("default", "127.0.0.9"), "");
        door.use(Asking.with(Map.of(ZONE, other)), Asking.evaluator());
        assertEquals("NOERROR 127.0.0.9", queried(door, "bad.example"));
        door.use(options("192.0.2.0/24", 0), Asking.evaluator());
        assertEquals("REFUSED", queried(door, "bad.example"));
    }

    @Test
    void closingListener_answersWhatItReceived() throws Exception {
        CountDownLatch latch = new CountDownLatch(1);
        ListedHosts hosts =
                new ListedHosts().lists("bad.example").waitsFor(latch).inForce();
        DnsListener door = open(hosts, options("127.0.0.0/8", 0));
        try (DatagramSocket waiting = udp(door)) {
            send(waiting, question("bad.example"));
            while (count("bloomgate.dns.suspects") < 1) {
                assertTrue(queried(door, "good.example").startsWith("N"));
            }
            Thread closing = Thread.ofVirtual().start(door::close);
            latch.countDown();
            assertEquals("NOERROR 127.0.0.2", Asking.summary(receive(waiting)));
            closing.join();
            assertThrows(IOException.class, () -> tcp(door).close());
        }
    }

    @Test
    void addressInUse_isRejected() throws IOException {
        DnsListener door = open(hosts(), options("127.0.0.0/8", 0));
        IOException taken = assertThrows(
                IOException.class,
                () -> new DnsListener(
                        door.address(),
                        options("127.0.0.0/8", 0),
                        "mail.example",
                        hosts(),
                        Asking.evaluator(),
                        new SimpleMeterRegistry(),
                        InstantSource.system()));
        assertTrue(String.valueOf(taken.getMessage()).startsWith("dns.listen: cannot listen on 127.0.0.1:"));
    }
}
