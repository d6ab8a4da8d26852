package org.bloomgate.server.dns;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;

/// A UDP socket that receives one datagram a call. One thread receives, reads and answers; any thread may send
/// and stop.
final class UdpSocket implements AutoCloseable {
    private static final int RECEIVE_BUFFER_BYTES = 1 << 20;
    private static final InetSocketAddress NO_SENDER = new InetSocketAddress(InetAddress.ofLiteral("::"), 0);

    private final DatagramChannel channel;
    private final ByteBuffer in = ByteBuffer.allocateDirect(Question.MAX_BYTES + 1);
    private final ByteBuffer out = ByteBuffer.allocateDirect(AnswerWriter.MAX_BYTES);
    private InetSocketAddress sender = NO_SENDER;
    private volatile boolean stopped;

    private UdpSocket(DatagramChannel channel) {
        this.channel = channel;
    }

    /// Whether several sockets may be bound to one address, so that the kernel distributes the datagrams among
    /// them.
    static boolean canBeShared() {
        try (DatagramChannel any = DatagramChannel.open()) {
            return any.supportedOptions().contains(StandardSocketOptions.SO_REUSEPORT);
        } catch (IOException noSocket) {
            return false;
        }
    }

    /// @param shared whether other sockets of this process are bound to the same address
    static UdpSocket bind(InetSocketAddress at, boolean shared) throws IOException {
        // A socket of both address families takes longer for each datagram.
        DatagramChannel channel = at.getAddress() instanceof Inet4Address
                ? DatagramChannel.open(StandardProtocolFamily.INET)
                : DatagramChannel.open();
        try {
            if (shared) {
                channel.setOption(StandardSocketOptions.SO_REUSEPORT, true);
            }
            channel.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BUFFER_BYTES);
            channel.bind(at);
            return new UdpSocket(channel);
        } catch (IOException | UnsupportedOperationException e) {
            channel.close();
            throw e;
        }
    }

    /// Waits for a datagram.
    ///
    /// @return false when the socket was stopped; the datagram is then dropped
    boolean receive() throws IOException {
        in.clear();
        if (stopped || !(channel.receive(in) instanceof InetSocketAddress from)) {
            return false;
        }
        sender = from;
        return !stopped;
    }

    /// Copies the datagram as far as it fits.
    ///
    /// @return bytes copied
    int read(byte[] into) {
        int length = Math.min(in.position(), into.length);
        in.get(0, into, 0, length);
        return length;
    }

    InetSocketAddress sender() {
        return sender;
    }

    /// Sends to the datagram's sender.
    ///
    /// @param length at most [AnswerWriter#MAX_UDP_BYTES]
    void answer(byte[] bytes, int length) throws IOException {
        out.clear().put(bytes, 0, length).flip();
        channel.send(out, sender);
    }

    void send(byte[] bytes, int length, InetSocketAddress to) throws IOException {
        channel.send(ByteBuffer.wrap(bytes, 0, length), to);
    }

    /// Drops datagrams from now on. A [#receive()] that is waiting ends with [#close()] or an interrupt.
    void stop() {
        stopped = true;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
