package org.bloomgate.dns;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;

/// A socket of the JDK: one datagram a call.
final class ChannelSocket implements UdpSocket {
    private static final InetSocketAddress NOBODY = new InetSocketAddress(InetAddress.ofLiteral("::"), 0);

    private final DatagramChannel channel;
    private final ByteBuffer in = ByteBuffer.allocateDirect(Question.MAX_OCTETS + 1);
    private final ByteBuffer out = ByteBuffer.allocateDirect(Answer.MAX_OCTETS);
    private InetSocketAddress sender = NOBODY;
    private volatile boolean stopped;

    private ChannelSocket(DatagramChannel channel) {
        this.channel = channel;
    }

    static boolean canBeShared() {
        try (DatagramChannel any = DatagramChannel.open()) {
            return any.supportedOptions().contains(StandardSocketOptions.SO_REUSEPORT);
        } catch (IOException noSocket) {
            return false;
        }
    }

    static ChannelSocket bind(InetSocketAddress at, boolean shared) throws IOException {
        // one of both families takes longer for each datagram
        DatagramChannel channel =
                UdpSocket.isIpv4(at) ? DatagramChannel.open(StandardProtocolFamily.INET) : DatagramChannel.open();
        try {
            if (shared) {
                channel.setOption(StandardSocketOptions.SO_REUSEPORT, true);
            }
            channel.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BUFFER_BYTES);
            channel.bind(at);
            return new ChannelSocket(channel);
        } catch (IOException | UnsupportedOperationException e) {
            channel.close();
            throw e;
        }
    }

    @Override
    public int receive() throws IOException {
        in.clear();
        if (stopped || !(channel.receive(in) instanceof InetSocketAddress from)) {
            return 0;
        }
        sender = from;
        return 1;
    }

    @Override
    public int read(int datagram, byte[] into) {
        int length = Math.min(in.position(), into.length);
        in.get(0, into, 0, length);
        return length;
    }

    @Override
    public InetAddress client(int datagram) {
        return sender.getAddress();
    }

    @Override
    public InetSocketAddress sender(int datagram) {
        return sender;
    }

    @Override
    public void answer(int datagram, byte[] octets, int length) throws IOException {
        out.clear().put(octets, 0, length).flip();
        channel.send(out, sender);
    }

    @Override
    public void flush() {}

    @Override
    public void send(byte[] octets, int length, InetSocketAddress to) throws IOException {
        channel.send(ByteBuffer.wrap(octets, 0, length), to);
    }

    /// The next datagram is taken and forgotten, the wait itself ends with [#close].
    @Override
    public void stop() throws ClosedChannelException {
        stopped = true;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
