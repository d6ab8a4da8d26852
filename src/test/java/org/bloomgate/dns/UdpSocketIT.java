package org.bloomgate.dns;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every socket of this system on loopback: they have to do the same.
@Timeout(60)
class UdpSocketIT {
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
    private static final int PATIENCE_MILLIS = 20_000;

    interface Way {
        UdpSocket bind(InetSocketAddress at, boolean shared) throws IOException;
    }

    /// The port is one that was free a moment ago: a socket here does not tell of its own.
    private record Bound(UdpSocket socket, InetSocketAddress at) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    static List<Way> ways() {
        return LinuxCalls.areThere() ? List.of(ChannelSocket::bind, LinuxSocket::bind) : List.of(ChannelSocket::bind);
    }

    private static Bound bound(Way way, InetAddress host) throws IOException {
        InetSocketAddress at;
        try (DatagramSocket free = new DatagramSocket(0, host)) {
            at = new InetSocketAddress(host, free.getLocalPort());
        }
        return new Bound(way.bind(at, false), at);
    }

    private static DatagramSocket client(Bound bound) throws IOException {
        DatagramSocket client = new DatagramSocket(0, LOOPBACK);
        client.setSoTimeout(PATIENCE_MILLIS);
        client.connect(new InetSocketAddress(LOOPBACK, bound.at().getPort()));
        return client;
    }

    private static byte[] octets(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static void send(DatagramSocket client, byte[] octets) throws IOException {
        client.send(new DatagramPacket(octets, octets.length));
    }

    private static String received(DatagramSocket client) throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[2_048], 2_048);
        client.receive(packet);
        return new String(packet.getData(), 0, packet.getLength(), StandardCharsets.US_ASCII);
    }

    private static byte[] read(UdpSocket socket, int datagram) {
        byte[] octets = new byte[Question.MAX_OCTETS + 1];
        return Arrays.copyOf(octets, socket.read(datagram, octets));
    }

    private static void echo(UdpSocket socket, int datagrams) throws IOException {
        for (int left = datagrams; left > 0; ) {
            int count = socket.receive();
            for (int i = 0; i < count; i++) {
                byte[] octets = read(socket, i);
                socket.answer(i, octets, octets.length);
            }
            socket.flush();
            left -= count;
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void everyAnswerGoesToItsSender(Way way) throws IOException {
        try (Bound bound = bound(way, LOOPBACK);
                DatagramSocket one = client(bound);
                DatagramSocket other = client(bound)) {
            for (int i = 0; i < 3 * LinuxSocket.BATCH; i++) {
                send(i % 2 == 0 ? one : other, octets("question " + i));
            }
            echo(bound.socket(), 3 * LinuxSocket.BATCH);
            for (int i = 0; i < 3 * LinuxSocket.BATCH; i++) {
                assertEquals("question " + i, received(i % 2 == 0 ? one : other));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void whoSentADatagramIsKnown(Way way) throws IOException {
        try (Bound bound = bound(way, LOOPBACK);
                DatagramSocket client = client(bound)) {
            send(client, octets("x"));
            assertEquals(1, bound.socket().receive());
            assertEquals(LOOPBACK, bound.socket().client(0));
            assertEquals(client.getLocalSocketAddress(), bound.socket().sender(0));
            bound.socket().send(octets("later"), 5, bound.socket().sender(0));
            assertEquals("later", received(client));
        }
    }

    /// A socket of both families has IPv4 senders as IPv6 addresses with theirs in them.
    @ParameterizedTest
    @MethodSource("ways")
    void onEveryInterfaceASenderOfIpv4IsOne(Way way) throws IOException {
        try (Bound bound = bound(way, InetAddress.ofLiteral("::"));
                DatagramSocket client = client(bound)) {
            send(client, octets("x"));
            assertEquals(1, bound.socket().receive());
            assertEquals(LOOPBACK, bound.socket().client(0));
            assertEquals(client.getLocalSocketAddress(), bound.socket().sender(0));
            bound.socket().answer(0, octets("now"), 3);
            bound.socket().flush();
            bound.socket().send(octets("later"), 5, bound.socket().sender(0));
            assertEquals(List.of("now", "later"), List.of(received(client), received(client)));
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void ipv6SendersAreTold(Way way) throws IOException {
        InetAddress loopback = InetAddress.ofLiteral("::1");
        try (Bound bound = bound(way, loopback);
                DatagramSocket client = new DatagramSocket(0, loopback)) {
            client.connect(bound.at());
            send(client, octets("x"));
            assertEquals(1, bound.socket().receive());
            assertEquals(loopback, bound.socket().client(0));
            assertEquals(client.getLocalPort(), bound.socket().sender(0).getPort());
            bound.socket().send(octets("later"), 5, bound.socket().sender(0));
            assertEquals("later", received(client));
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void theLongestQuestionIsToldFromALongerOne(Way way) throws IOException {
        byte[] longest = new byte[Question.MAX_OCTETS];
        longest[Question.MAX_OCTETS - 1] = 1;
        try (Bound bound = bound(way, LOOPBACK);
                DatagramSocket client = client(bound)) {
            List<byte[]> read = new ArrayList<>();
            for (byte[] sent : List.of(octets("x"), longest, new byte[Question.MAX_OCTETS + 900])) {
                send(client, sent);
                assertEquals(1, bound.socket().receive());
                read.add(read(bound.socket(), 0));
            }
            assertArrayEquals(octets("x"), read.get(0));
            assertArrayEquals(longest, read.get(1));
            assertEquals(Question.MAX_OCTETS + 1, read.get(2).length);
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void anAddressIsBoundOnceUnlessItIsShared(Way way) throws IOException {
        InetSocketAddress at;
        try (Bound bound = bound(way, LOOPBACK)) {
            at = bound.at();
            IOException taken = assertThrows(IOException.class, () -> way.bind(bound.at(), false));
            assertEquals("Address already in use", taken.getMessage());
        }
        try (UdpSocket one = way.bind(at, true);
                UdpSocket other = way.bind(at, true)) {
            assertNotEquals(one, other);
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void whatCannotBeSentIsSaid(Way way) throws IOException {
        try (Bound bound = bound(way, LOOPBACK)) {
            InetSocketAddress everybody = new InetSocketAddress(InetAddress.ofLiteral("255.255.255.255"), 9);
            assertThrows(IOException.class, () -> bound.socket().send(octets("x"), 1, everybody));
            bound.socket().close();
            assertThrows(IOException.class, () -> bound.socket().send(octets("x"), 1, bound.at()));
        }
    }

    /// The wait of a channel ends with the channel, as its thread is interrupted.
    @ParameterizedTest
    @MethodSource("ways")
    void aWaitEnds(Way way) throws Exception {
        try (Bound bound = bound(way, LOOPBACK)) {
            CompletableFuture<Integer> waited = new CompletableFuture<>();
            Thread waiting = Thread.ofPlatform().start(() -> {
                try {
                    waited.complete(bound.socket().receive());
                } catch (IOException closed) {
                    waited.complete(0);
                }
            });
            bound.socket().stop();
            waiting.interrupt();
            assertEquals(0, waited.get());
        }
    }
}
