package org.bloomgate.lookup.dns;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Section;
import org.xbill.DNS.io.DefaultIoClientFactory;
import org.xbill.DNS.io.IoClientFactory;
import org.xbill.DNS.io.TcpIoClient;
import org.xbill.DNS.io.UdpIoClient;

/// Sends a query in a datagram and waits for its response. Datagrams from elsewhere, with another id or for
/// another question do not end the wait, so that forged ones cannot suppress an answer. Each query has
/// a socket with a random port of its own (RFC 5452), on a virtual thread.
final class UdpExchange implements UdpIoClient {
    /// Datagrams skipped for one query; an attacker who can send more suppresses the answer.
    private static final int MAX_SKIPPED = 1000;

    private static final UdpExchange INSTANCE = new UdpExchange();

    private UdpExchange() {}

    /// A factory for dnsjava, with its own client for TCP.
    static IoClientFactory factory() {
        TcpIoClient tcp = new DefaultIoClientFactory().createOrGetTcpClient();
        return new IoClientFactory() {
            @Override
            public TcpIoClient createOrGetTcpClient() {
                return tcp;
            }

            @Override
            public UdpIoClient createOrGetUdpClient() {
                return INSTANCE;
            }
        };
    }

    @Override
    public CompletableFuture<byte[]> sendAndReceiveUdp(
            InetSocketAddress local, InetSocketAddress remote, Message query, byte[] data, int max, Duration timeout) {
        CompletableFuture<byte[]> answer = new CompletableFuture<>();
        Thread.ofVirtual().name("dns-query").start(() -> {
            try {
                answer.complete(exchange(remote, query, data, max, timeout));
            } catch (IOException | RuntimeException e) {
                answer.completeExceptionally(e);
            }
        });
        return answer;
    }

    private static byte[] exchange(InetSocketAddress remote, Message query, byte[] data, int max, Duration timeout)
            throws IOException {
        long end = System.nanoTime() + timeout.toNanos();
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(remote);
            socket.send(new DatagramPacket(data, data.length));
            DatagramPacket packet = new DatagramPacket(new byte[max], max);
            for (int i = 0; i < MAX_SKIPPED; i++) {
                long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                if (left <= 0) {
                    throw new SocketTimeoutException("no answer in time");
                }
                socket.setSoTimeout((int) left);
                socket.receive(packet);
                byte[] response = Arrays.copyOf(packet.getData(), packet.getLength());
                if (isOf(query, response)) {
                    return withQuestion(query, response);
                }
                packet.setLength(max);
            }
            throw new IOException("more than " + MAX_SKIPPED + " datagrams that do not answer");
        }
    }

    /// Old servers answer FORMERR without the question, which dnsjava takes for an invalid response.
    private static byte[] withQuestion(Message query, byte[] response) {
        try {
            Message message = new Message(response);
            if (message.getRcode() == Rcode.NOERROR
                    || !message.getSection(Section.QUESTION).isEmpty()) {
                return response;
            }
            message.addRecord(query.getQuestion(), Section.QUESTION);
            return message.toWire();
        } catch (IOException unreadable) {
            return response;
        }
    }

    /// A server that cannot read the query answers without its question. What has the id and is unreadable, or longer
    /// than was asked for and so cut, is the server's.
    private static boolean isOf(Message query, byte[] response) {
        if (response.length < 2
                || ((response[0] & 0xff) << 8 | (response[1] & 0xff))
                        != query.getHeader().getID()) {
            return false;
        }
        try {
            List<?> question = new Message(response).getSection(Section.QUESTION);
            return question.isEmpty() || question.equals(query.getSection(Section.QUESTION));
        } catch (IOException unreadable) {
            return true;
        }
    }
}
