package org.bloomgate.server.dns;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The UDP socket on loopback.
@Timeout(60)
class UdpSocketIT {
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
    private static final int PATIENCE_MILLIS = 20_000;
    private static final int BATCH = 32;

    /// The port is one that was free a moment ago: a socket here does not tell of its own.
    private record Bound(UdpSocket socket, InetSocketAddress at) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private static Bound bound(InetAddress host) throws IOException {
        InetSocketAddress at;
        try (DatagramSocket free = new DatagramSocket(0, host)) {
            at = new InetSocketAddress(host, free.getLocalPort());
        }
        return new Bound(UdpSocket.bind(at, false), at);
    }

    private static DatagramSocket client(Bound bound) throws IOException {
        DatagramSocket client = new DatagramSocket(0, LOOPBACK);
        client.setSoTimeout(PATIENCE_MILLIS);
        client.connect(new InetSocketAddress(LOOPBACK, bound.at().getPort()));
        return client;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static void send(DatagramSocket client, byte[] bytes) throws IOException {
        client.send(new DatagramPacket(bytes, bytes.length));
    }

    private static String received(DatagramSocket client) throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[2_048], 2_048);
        client.receive(packet);
        return new String(packet.getData(), 0, packet.getLength(), StandardCharsets.US_ASCII);
    }

    private static byte[] read(UdpSocket socket) {
        byte[] bytes = new byte[Question.MAX_BYTES + 1];
        return Arrays.copyOf(bytes, socket.read(bytes));
    }

    private static void echo(UdpSocket socket, int datagrams) throws IOException {
        for (int i = 0; i < datagrams; i++) {
            assertTrue(socket.receive());
            byte[] bytes = read(socket);
            socket.answer(bytes, bytes.length);
        }
    }

    @Test
    void everyAnswer_goesToItsSender() throws IOException {
        try (Bound bound = bound(LOOPBACK);
                DatagramSocket one = client(bound);
                DatagramSocket other = client(bound)) {
            for (int i = 0; i < 3 * BATCH; i++) {
                send(i % 2 == 0 ? one : other, bytes("question " + i));
            }
            echo(bound.socket(), 3 * BATCH);
            for (int i = 0; i < 3 * BATCH; i++) {
                assertEquals("question " + i, received(i % 2 == 0 ? one : other));
            }
        }
    }

    /// A socket of both families has IPv4 senders as IPv6 addresses with theirs in them.
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::"})
    void ipv4Sender_isKnownAndAnswered(String address) throws IOException {
        try (Bound bound = bound(InetAddress.ofLiteral(address));
                DatagramSocket client = client(bound)) {
            send(client, bytes("x"));
            assertTrue(bound.socket().receive());
            assertEquals(LOOPBACK, bound.socket().sender().getAddress());
            assertEquals(client.getLocalSocketAddress(), bound.socket().sender());
            bound.socket().answer(bytes("now"), 3);
            bound.socket().send(bytes("later"), 5, bound.socket().sender());
            assertEquals(List.of("now", "later"), List.of(received(client), received(client)));
        }
    }

    @Test
    void ipv6Sender_isKnown() throws IOException {
        InetAddress loopback = InetAddress.ofLiteral("::1");
        try (Bound bound = bound(loopback);
                DatagramSocket client = new DatagramSocket(0, loopback)) {
            client.connect(bound.at());
            send(client, bytes("x"));
            assertTrue(bound.socket().receive());
            assertEquals(loopback, bound.socket().sender().getAddress());
            assertEquals(client.getLocalPort(), bound.socket().sender().getPort());
            bound.socket().send(bytes("later"), 5, bound.socket().sender());
            assertEquals("later", received(client));
        }
    }

    @Test
    void questionBeyondTheBound_isDistinguishable() throws IOException {
        byte[] longest = new byte[Question.MAX_BYTES];
        longest[Question.MAX_BYTES - 1] = 1;
        try (Bound bound = bound(LOOPBACK);
                DatagramSocket client = client(bound)) {
            List<byte[]> read = new ArrayList<>();
            for (byte[] sent : List.of(bytes("x"), longest, new byte[Question.MAX_BYTES + 900])) {
                send(client, sent);
                assertTrue(bound.socket().receive());
                read.add(read(bound.socket()));
            }
            assertArrayEquals(bytes("x"), read.get(0));
            assertArrayEquals(longest, read.get(1));
            assertEquals(Question.MAX_BYTES + 1, read.get(2).length);
        }
    }

    @Test
    void address_isBoundOnceUnlessShared() throws IOException {
        InetSocketAddress at;
        try (Bound bound = bound(LOOPBACK)) {
            at = bound.at();
            IOException taken = assertThrows(IOException.class, () -> UdpSocket.bind(bound.at(), false));
            assertEquals("Address already in use", taken.getMessage());
        }
        try (UdpSocket one = UdpSocket.bind(at, true);
                UdpSocket other = UdpSocket.bind(at, true)) {
            assertNotEquals(one, other);
        }
    }

    @Test
    void datagramThatCannotBeSent_throws() throws IOException {
        try (Bound bound = bound(LOOPBACK)) {
            InetSocketAddress everybody = new InetSocketAddress(InetAddress.ofLiteral("255.255.255.255"), 9);
            assertThrows(IOException.class, () -> bound.socket().send(bytes("x"), 1, everybody));
            bound.socket().close();
            assertThrows(IOException.class, () -> bound.socket().send(bytes("x"), 1, bound.at()));
        }
    }

    /// The wait of a channel ends with the channel, as its thread is interrupted.
    @Test
    void waitingReceive_endsWithTheSocket() throws Exception {
        try (Bound bound = bound(LOOPBACK)) {
            CompletableFuture<Boolean> waited = new CompletableFuture<>();
            Thread waiting = Thread.ofPlatform().start(() -> {
                try {
                    waited.complete(bound.socket().receive());
                } catch (IOException closed) {
                    waited.complete(false);
                }
            });
            bound.socket().stop();
            waiting.interrupt();
            assertEquals(false, waited.get());
        }
    }
}
